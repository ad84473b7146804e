package io.zarrengine.zarr.task;

import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.InnerPieces;
import io.zarrengine.zarr.plan.Region;
import java.util.List;

/**
 * The slabs of a large chunk whose elements are stored as they are. A slab is a run of elements:
 * some rows of a dimension. The slabs that hold a wanted element are numbered.
 *
 * <p>Immutable.
 */
final class Slabs {
    private final InnerPieces pieces;
    private final long[] shape; // of a slab, in elements; the last ones may be smaller
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

    /** {@return the number of slabs} */
    int count() {
        return pieces.pieces();
    }

    /** {@return the wanted positions of each slab} */
    InnerPieces pieces() {
        return pieces;
    }

    /**
     * {@return the shape of a slab, in elements} The last slabs may have fewer rows of the
     * dimension that is cut. Dimensions before it have length 1, so the elements lie as in a full
     * slab.
     */
    long[] shape() {
        return shape;
    }

    /** {@return the offset of a slab in the chunk, in bytes} */
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
