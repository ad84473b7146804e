package io.zarrengine.zarr.task;

import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.InnerPieces;
import io.zarrengine.zarr.plan.Region;
import java.util.List;

/**
 * What a large chunk is cut into whose elements are stored as they are: runs of them, some rows of
 * a dimension, of which those are numbered that hold something wanted.
 *
 * <p>Immutable.
 */
final class Slabs {
    private final InnerPieces pieces;
    private final long[] shape; // of a slab, but for the last ones', in elements
    private final long[] stride; // (rank): from one slab to the next, in bytes
    private final long[] perChunk; // (rank)

    /**
     * Cuts a chunk.
     *
     * @param bytesMax of a slab, which has one element at least
     * @param parts the positions wanted of the chunk, in its encoded dimensions
     */
    Slabs(ChunkPipeline pipeline, long bytesMax, List<Region> parts) {
        long[] chunk = pipeline.encodedLengths();
        int rank = chunk.length;
        shape = chunk.clone();
        stride = new long[rank];
        perChunk = new long[rank];
        long bytes = pipeline.elementBytes(); // of one position of dimension d
        boolean whole =
                true; // A slab is one run: outside of a dimension that is cut it has length 1.
        for (int d = rank - 1; d >= 0; d--) {
            shape[d] = whole ? Math.clamp(bytesMax / bytes, 1, chunk[d]) : 1;
            whole &= shape[d] == chunk[d];
            stride[d] = shape[d] * bytes;
            perChunk[d] = Math.ceilDiv(chunk[d], shape[d]);
            bytes *= chunk[d];
        }
        pieces = new InnerPieces(parts, shape, perChunk);
    }

    /** {@return how many there are} */
    int count() {
        return pieces.pieces();
    }

    /** {@return what is wanted of each} */
    InnerPieces pieces() {
        return pieces;
    }

    /**
     * {@return their shape, in elements} The last ones may have less of the dimension that is cut,
     * before which they have length 1: so their elements lie as if they had all.
     */
    long[] shape() {
        return shape;
    }

    /** {@return where a slab begins in the chunk, in bytes} */
    long offset(int slab) {
        long offset = 0;
        long rest = pieces.chunk(slab);
        for (int d = shape.length - 1; d >= 0; d--) {
            offset += rest % perChunk[d] * stride[d];
            rest /= perChunk[d];
        }
        return offset;
    }
}
