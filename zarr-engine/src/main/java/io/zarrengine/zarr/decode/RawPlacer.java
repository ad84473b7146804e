package io.zarrengine.zarr.decode;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.WantedRegions;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Places elements that are stored as they are. Only the bytes from the first wanted element to the
 * last one must be read. Owner: one worker.
 */
public final class RawPlacer {
    /**
     * Shortest row to read directly: for this size, that takes the kernel as long as another copy.
     */
    private static final long STRAIGHT_ROW_BYTES_MIN = 512;

    private final Metrics metrics;
    private final StridedBox box = new StridedBox();

    RawPlacer(Metrics metrics) {
        this.metrics = metrics;
    }

    /** {@return whether elements are stored as they are and go to the target} */
    static boolean takes(Placement placement, ChunkPipeline pipeline) {
        return pipeline.isPlain() && placement.sink() == null;
    }

    /**
     * {@return the bytes from the first wanted element of a decoded chunk to the end of the last
     * one}
     */
    public ByteRange range(ChunkPipeline pipeline, WantedRegions parts) {
        return range(pipeline.encodedLengths(), pipeline, parts);
    }

    /**
     * {@return the bytes from the first element of some regions to the end of the last one}
     *
     * @param shape of the elements, which are in C order
     */
    public ByteRange range(long[] shape, ChunkPipeline pipeline, WantedRegions parts) {
        long from = Long.MAX_VALUE;
        long to = 0;
        for (int i = 0; i < parts.size(); i++) {
            box.set(parts.get(i), shape, pipeline.elementBytes());
            from = Math.min(from, box.sourceFrom());
            to = Math.max(to, box.sourceTo());
        }
        return new ByteRange(from, to);
    }

    /**
     * Places parts of a chunk that this {@link #takes}.
     *
     * @param bytes the {@link #range} of {@code parts}
     */
    public void placeChunk(
            Placement placement, ChunkPipeline pipeline, MemorySegment bytes, WantedRegions parts) {
        begin();
        place(placement, pipeline, pipeline.encodedLengths(), bytes, parts);
    }

    /** Counts a chunk whose parts are passed to {@link #place}. */
    public void begin() {
        metrics.chunkBegun();
    }

    /**
     * Places parts of a run of elements that are stored as they are.
     *
     * @param shape of the run, of which {@code bytes} are the {@link #range} of {@code parts}
     */
    public void place(
            Placement placement,
            ChunkPipeline pipeline,
            long[] shape,
            MemorySegment bytes,
            WantedRegions parts) {
        int swapBytes = pipeline.swapBytes();
        long from = range(shape, pipeline, parts).from();
        long delivered = 0;
        for (int i = 0; i < parts.size(); i++) {
            box.set(parts.get(i), shape, pipeline.elementBytes());
            box.moveSource(-from);
            Scatter.copyFastest(box, bytes, placement.target(), swapBytes);
            delivered += box.bytes();
        }
        metrics.partDecoded(placement.recorded(), bytes.byteSize(), bytes.byteSize(), delivered);
    }

    /**
     * Returns the rows of the target in the order of a run of elements that are stored as they are;
     * empty if the wanted part of the run has gaps, or its rows are short or many.
     *
     * @param shape of the run, of which {@code parts} are wanted
     */
    public List<MemorySegment> straightRows(
            Placement placement, ChunkPipeline pipeline, long[] shape, WantedRegions parts) {
        if (parts.size() > 1 || pipeline.swapBytes() > 1 || !placement.target().isNative()) {
            return List.of();
        }
        box.set(parts.get(0), shape, pipeline.elementBytes());
        boolean isFit =
                box.isContiguousInSource()
                        && box.rowBytes() >= STRAIGHT_ROW_BYTES_MIN
                        && box.bytes() / box.rowBytes() <= ReadBackend.PIECES_NOW_MAX;
        return isFit ? box.targetRows(placement.target()) : List.of();
    }

    /** Counts a part of a run of elements that was read directly into the target. */
    public void placed(Placement placement, long bytes) {
        metrics.partDecoded(placement.recorded(), bytes, bytes, bytes);
    }
}
