package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.plan.InnerPieces;
import io.zarrengine.zarr.plan.Regions;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A large chunk whose elements are stored as they are. It is cut into slabs, and of each slab only
 * what lies between its first and its last wanted element is read: by whichever workers have room,
 * and a slab is still in the core's cache when it is copied to the target.
 */
final class RawChunkTask extends StretchesTask {
    private static final long SLAB_BYTES = 256 << 10;

    /** Below this a copy costs about as much as another system call. */
    private static final long STRAIGHT_BYTES_MIN = 64 << 10;

    private final ChunkPipeline pipeline;
    private final long[] slabShape; // in elements
    private final InnerPieces slabs;
    private final long[] slabStride; // (rank): from one slab to the next, in bytes
    private final long[] slabsPerChunk;
    private volatile boolean isStraightInVain; // some of it had to be waited for: no more tries

    /** For a chunk that {@link #takes}. */
    RawChunkTask(ChunkTask chunk) {
        super(chunk);
        this.pipeline = chunk.pipeline();
        long[] shape = pipeline.encodedLengths();
        int rank = shape.length;
        slabShape = shape.clone();
        slabStride = new long[rank];
        slabsPerChunk = new long[rank];
        long bytes = pipeline.elementBytes(); // of one position of dimension d
        boolean whole =
                true; // A slab is one run: outside of a dimension that is cut it has length 1.
        for (int d = rank - 1; d >= 0; d--) {
            slabShape[d] = whole ? Math.clamp(SLAB_BYTES / bytes, 1, shape[d]) : 1;
            whole &= slabShape[d] == shape[d];
            slabStride[d] = slabShape[d] * bytes;
            slabsPerChunk[d] = Math.ceilDiv(shape[d], slabShape[d]);
            bytes *= shape[d];
        }
        slabs = new InnerPieces(chunk.parts(), slabShape, slabsPerChunk);
    }

    /** {@return whether a chunk can be read slab by slab, and is worth it} */
    static boolean takes(ReadRequest request, ChunkPipeline pipeline, Placer placer) {
        return pipeline.decodedBytes() > SLAB_BYTES && placer.takesRaw(request, pipeline);
    }

    /** Throws before anything has begun, or not at all. */
    void start(TaskRunner runner) {
        int alignment = chunk.file().alignment();
        Stretches.Builder builder =
                new Stretches.Builder(slabs.pieces(), runner.fusedBytesMax(alignment), alignment);
        for (int slab = 0; slab < slabs.pieces(); slab++) {
            Regions parts = runner.placer().slab(slabs, slab);
            ByteRange wanted = runner.placer().raw().range(slabShape, pipeline, parts);
            builder.add(slab, slabOffset(slab) + wanted.from(), wanted.bytes());
        }
        setStretches(builder.build());
        chunk.file().retain();
        runner.placer().raw().begin();
        runner.offer(this);
    }

    /** Where a slab begins in the chunk, in bytes. */
    private long slabOffset(int slab) {
        long offset = 0;
        long rest = slabs.chunk(slab);
        for (int d = slabShape.length - 1; d >= 0; d--) {
            offset += rest % slabsPerChunk[d] * slabStride[d];
            rest /= slabsPerChunk[d];
        }
        return offset;
    }

    @Override
    void startStretch(TaskRunner runner, int stretch) {
        if (tryPlaceMapped(runner, stretch, stretch + 1) || readStraight(runner, stretch)) {
            ended(stretch);
        } else {
            runner.startRead(this, stretch, fileOffset(stretch), stretches().bytes(stretch), 0);
        }
    }

    /** Reads to the target itself what consists of long rows there, if it is in memory. */
    private boolean readStraight(TaskRunner runner, int stretch) {
        Stretches stretches = stretches();
        int slab = stretches.begin(stretch);
        long bytes = stretches.bytes(stretch);
        if (isStraightInVain || bytes < STRAIGHT_BYTES_MIN || stretches.end(stretch) > slab + 1) {
            return false;
        }
        Regions regions = runner.placer().slab(slabs, stretches.piece(slab));
        List<MemorySegment> rows =
                runner.placer().raw().straightRows(chunk.request(), pipeline, slabShape, regions);
        if (rows.isEmpty()) {
            return false;
        }
        if (!runner.readNow(chunk.file(), fileOffset(stretch), rows)) {
            isStraightInVain = true;
            return false;
        }
        if (recorded() != null) {
            recorded().read(bytes, 0);
        }
        runner.placer().raw().placed(chunk.request(), bytes);
        return true;
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) {
        Stretches stretches = stretches();
        for (int i = stretches.begin(stretch); i < stretches.end(stretch); i++) {
            long at = stretches.pieceOffset(i) - stretches.offset(stretch);
            Regions regions = runner.placer().slab(slabs, stretches.piece(i));
            MemorySegment wanted = bytes.asSlice(at, stretches.pieceBytes(i));
            runner.placer().raw().place(chunk.request(), pipeline, slabShape, wanted, regions);
        }
    }
}
