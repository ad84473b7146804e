package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.place.ElementRows;
import io.zarrengine.zarr.place.RowRuns;
import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.shuffle.BytePlanes;
import io.zarrengine.zarr.shuffle.PlaneSink;
import java.lang.foreign.MemorySegment;

/** Puts the bytes of shuffled elements together in the target, row by row. Owner: one worker. */
final class ShuffledPlacer implements PlaneSink {
    private final Workspace workspace;
    private final Metrics metrics;
    private final StridedBox box = new StridedBox();
    private final RowRuns runs = new RowRuns();
    private int elementBytes;
    private MemorySegment unshuffled; // the chunk, if it did not come as planes

    ShuffledPlacer(Workspace workspace, Metrics metrics) {
        this.workspace = workspace;
        this.metrics = metrics;
    }

    /**
     * Places a part of a chunk; returns false if another placer must do it.
     *
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     */
    boolean place(
            Placement placement, ChunkPipeline pipeline, MemorySegment encoded, WantedRegions parts)
            throws CodecException {
        if (!takes(placement, pipeline, parts)) {
            return false;
        }
        runs.begin(box, placement.target());
        unshuffled = null;
        long bytes =
                ChunkDecoder.decodePlanes(
                        pipeline.bytesCodecs(), encoded, pipeline.decodedBytes(), this, workspace);
        if (unshuffled != null) {
            Scatter.copyFastest(box, unshuffled, placement.target(), 1);
        }
        metrics.chunkDecoded(placement.recorded(), encoded.byteSize(), bytes, box.bytes());
        return true;
    }

    private boolean takes(Placement placement, ChunkPipeline pipeline, WantedRegions parts) {
        if (parts.size() > 1
                || !ChunkDecoder.decodesPlanes(pipeline.bytesCodecs())
                || pipeline.swapBytes() > 1
                || !placement.target().isNative()) {
            return false;
        }
        elementBytes = pipeline.elementBytes();
        box.set(parts.get(0), pipeline.encodedLengths(), elementBytes);
        return box.hasRowsInSourceOrder()
                && BytePlanes.putsFast(
                        box.rowBytes(), elementBytes, box.bytes(), placement.target());
    }

    @Override
    public long from() {
        return box.sourceFrom();
    }

    @Override
    public long to() {
        return box.sourceTo();
    }

    @Override
    public int elementBytes() {
        return elementBytes;
    }

    @Override
    public MemorySegment memory(long bytes) {
        unshuffled = workspace.result(bytes);
        return unshuffled;
    }

    @Override
    public void put(BytePlanes block, long at) {
        int bytes = block.elementBytes();
        long end = at + block.elements() * bytes;
        ElementRows rows = runs.next(at, end, bytes);
        while (rows != null) {
            block.put(rows);
            rows = runs.next(at, end, bytes);
        }
    }
}
