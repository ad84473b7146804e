package io.zarrengine.zarr.execute;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.place.RowRuns;
import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Puts elements where they belong that are stored as they are, of which only what lies between the
 * first and the last wanted one has to be read. Owner: one worker.
 */
final class RawPlacer {
    /** The kernel takes as long for a row of this as copying it once more does. */
    private static final long STRAIGHT_ROW_BYTES_MIN = 512;

    private final Workspace workspace;
    private final Metrics metrics;
    private final StridedBox box = new StridedBox();
    private final RowRuns runs = new RowRuns();

    RawPlacer(Workspace workspace, Metrics metrics) {
        this.workspace = workspace;
        this.metrics = metrics;
    }

    /** {@return whether elements are stored as they are, and nobody but the target gets them} */
    static boolean takes(ReadRequest request, ChunkPipeline pipeline) {
        return pipeline.isPlain() && request.sink() == null;
    }

    /** {@return the bytes from the first element wanted of a decoded chunk to the last one} */
    ByteRange range(ChunkPipeline pipeline, List<Region> parts) {
        return range(pipeline.encodedLengths(), pipeline, parts);
    }

    /**
     * {@return the bytes from the first element of some regions to the last one}
     *
     * @param shape of the elements, which lie in C order
     */
    ByteRange range(long[] shape, ChunkPipeline pipeline, List<Region> parts) {
        long from = Long.MAX_VALUE;
        long to = 0;
        for (Region part : parts) {
            box.set(part, shape, pipeline.elementBytes());
            from = Math.min(from, box.sourceFrom());
            to = Math.max(to, box.sourceTo());
        }
        return new ByteRange(from, to);
    }

    /**
     * {@return where parts of a decoded chunk go in the target, in bytes, if they are one run of
     * bytes on both sides; else -1}
     */
    long runOffset(ChunkPipeline pipeline, List<Region> parts) {
        if (parts.size() > 1 || pipeline.swapBytes() > 1) {
            return -1;
        }
        box.set(parts.getFirst(), pipeline.encodedLengths(), pipeline.elementBytes());
        return box.isContiguous() ? box.targetOffset() : -1;
    }

    /**
     * Places parts of a chunk that this {@link #takes}.
     *
     * @param bytes its {@link #range} of {@code parts}
     */
    void placeChunk(
            ReadRequest request, ChunkPipeline pipeline, MemorySegment bytes, List<Region> parts) {
        begin();
        place(request, pipeline, pipeline.encodedLengths(), bytes, parts);
    }

    /**
     * Places parts of the chunks of a stretch, all of which this {@link #takes}.
     *
     * @param bytes the stretch, in which of each chunk all lies, or the {@link #range} of its parts
     */
    void placeChunks(
            ReadRequest request, ChunkPipeline pipeline, MemorySegment bytes, StoredChunks chunks) {
        MemorySegment near = tryNear(request, pipeline, chunks);
        long nearFrom = 0; // what of the stretch lies there
        long nearTo = 0;
        long stored = 0;
        long delivered = 0;
        for (int i = 0; i < chunks.count(); i++) {
            long from = chunks.offset(i);
            long to = from + chunks.bytes(i);
            if (near != null && (from < nearFrom || to > nearTo)) {
                nearFrom = from;
                nearTo = endOfRun(chunks, i, from + near.byteSize());
                MemorySegment.copy(bytes, from, near, 0, nearTo - from);
            }
            boolean isNear = to <= nearTo;
            MemorySegment chunk =
                    isNear
                            ? near.asSlice(from - nearFrom, to - from)
                            : bytes.asSlice(from, to - from);
            long[] shape = pipeline.encodedLengths();
            delivered += scatter(request, pipeline, shape, chunk, chunks.parts(i), isNear);
            stored += to - from;
        }
        metrics.chunksBegun(chunks.count());
        metrics.partDecoded(stored, stored, delivered);
    }

    /** Memory for runs of chunks that are small and copied faster from there; or null. */
    private MemorySegment tryNear(
            ReadRequest request, ChunkPipeline pipeline, StoredChunks chunks) {
        if (chunks.count() == 1) {
            return null;
        }
        box.set(chunks.parts(0).getFirst(), pipeline.encodedLengths(), pipeline.elementBytes());
        boolean isFit = Scatter.isFasterOwned(box, request.target(), pipeline.swapBytes());
        return isFit && !hasGaps() ? tryNear() : null;
    }

    /**
     * Where the last chunk ends, from one on, that ends before a limit; where it begins if none.
     */
    private static long endOfRun(StoredChunks chunks, int first, long limit) {
        long end = chunks.offset(first);
        for (int i = first; i < chunks.count(); i++) {
            long to = chunks.offset(i) + chunks.bytes(i);
            if (to > limit) {
                break;
            }
            end = Math.max(end, to);
        }
        return end;
    }

    /** Counts a chunk that comes part by part, to {@link #place}. */
    void begin() {
        metrics.chunkBegun();
    }

    /**
     * Places parts of a run of elements that are stored as they are.
     *
     * @param shape of the run, of which {@code bytes} are the {@link #range} of {@code parts}
     */
    void place(
            ReadRequest request,
            ChunkPipeline pipeline,
            long[] shape,
            MemorySegment bytes,
            List<Region> parts) {
        long delivered = scatter(request, pipeline, shape, bytes, parts, false);
        metrics.partDecoded(bytes.byteSize(), bytes.byteSize(), delivered);
    }

    /** Returns how many bytes were copied. {@code isNear}: not from a mapped file. */
    private long scatter(
            ReadRequest request,
            ChunkPipeline pipeline,
            long[] shape,
            MemorySegment bytes,
            List<Region> parts,
            boolean isNear) {
        int swapBytes = pipeline.swapBytes();
        boolean isWhole = bytes.byteSize() == pipeline.decodedBytes();
        long from = isWhole ? 0 : range(shape, pipeline, parts).from();
        long delivered = 0;
        for (Region part : parts) {
            box.set(part, shape, pipeline.elementBytes());
            box.moveSource(-from);
            if (isNear) {
                Scatter.copyOwned(box, bytes, request.target(), swapBytes);
            } else if (!tryCopyByNear(request, bytes, swapBytes)) {
                Scatter.copy(box, bytes, request.target(), swapBytes);
            }
            delivered += box.bytes();
        }
        return delivered;
    }

    /**
     * Copies the box by way of the core's cache, because machine code copies faster from there: it
     * must not read a mapped file. False if there is no memory for that, or the box is not one for
     * it.
     */
    private boolean tryCopyByNear(ReadRequest request, MemorySegment bytes, int swapBytes) {
        boolean isFit =
                Scatter.isFasterOwned(box, request.target(), swapBytes)
                        && box.hasRowsInSourceOrder()
                        && !hasGaps();
        MemorySegment near = isFit ? tryNear() : null;
        if (near == null) {
            return false;
        }
        long begin = box.sourceFrom();
        long end = box.sourceTo();
        if (end - begin <= near.byteSize()) {
            MemorySegment.copy(bytes, begin, near, 0, end - begin);
            box.moveSource(-begin);
            Scatter.copyOwned(box, near, request.target(), swapBytes);
            return true;
        }
        runs.begin(box, request.target());
        for (long at = begin; at < end; at += near.byteSize()) {
            MemorySegment part = near.asSlice(0, Math.min(near.byteSize(), end - at));
            MemorySegment.copy(bytes, at, part, 0, part.byteSize());
            runs.copy(part, at);
        }
        return true;
    }

    /** Memory that the core's cache holds; null if there is none left. */
    private MemorySegment tryNear() {
        try {
            return workspace.near();
        } catch (MemoryShortException e) {
            return null;
        }
    }

    /** Whether more than a half of the bytes around the rows are not wanted. */
    private boolean hasGaps() {
        return box.sourceTo() - box.sourceFrom() > 2 * box.bytes();
    }

    /**
     * The rows of the target, in their order in a run of elements that are stored as they are;
     * empty if the run is wanted with gaps, or its rows are short or many.
     *
     * @param shape of the run, of which {@code parts} are wanted
     */
    List<MemorySegment> straightRows(
            ReadRequest request, ChunkPipeline pipeline, long[] shape, List<Region> parts) {
        if (parts.size() > 1 || pipeline.swapBytes() > 1 || !request.target().isNative()) {
            return List.of();
        }
        box.set(parts.getFirst(), shape, pipeline.elementBytes());
        boolean isFit =
                box.isContiguousInSource()
                        && box.rowBytes() >= STRAIGHT_ROW_BYTES_MIN
                        && box.bytes() / box.rowBytes() <= ReadBackend.PIECES_NOW_MAX;
        return isFit ? box.targetRows(request.target()) : List.of();
    }

    /** Counts a part of a run of elements that was read to where it goes. */
    void placed(long bytes) {
        metrics.partDecoded(bytes, bytes, bytes);
    }
}
