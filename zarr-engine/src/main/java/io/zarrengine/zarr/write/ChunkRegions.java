package io.zarrengine.zarr.write;

import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.Region;
import java.util.Arrays;

/** The regions that encoding copies: a whole chunk into its encoded order, and each inner chunk. */
final class ChunkRegions {
    private ChunkRegions() {}

    /** {@return the shape of a chunk in its logical dimensions} */
    static long[] logicalLengths(ChunkPipeline pipeline) {
        long[] shape = new long[pipeline.rank()];
        for (int i = 0; i < shape.length; i++) {
            shape[pipeline.order().get(i)] = pipeline.encodedLengths()[i];
        }
        return shape;
    }

    /** {@return a region of all elements, with targets in C order of the encoded dimensions} */
    static Region inEncodedOrder(ChunkPipeline pipeline) {
        int rank = pipeline.rank();
        long[] encodedStride = strides(pipeline.encodedLengths(), pipeline.elementBytes());
        long[] targetStride = new long[rank];
        for (int i = 0; i < rank; i++) {
            targetStride[pipeline.order().get(i)] = encodedStride[i];
        }
        long[] count = logicalLengths(pipeline);
        return new Region(new long[rank], ones(rank), count, targetStride, 0);
    }

    /**
     * {@return a region of the elements of an inner chunk, in C order of the shard's encoded
     * dimensions}
     */
    static Region innerChunk(ChunkPipeline pipeline, Serializer.Shard shard, int chunk) {
        int rank = pipeline.rank();
        long[] start = new long[rank];
        long[] shape = new long[rank];
        long rest = chunk;
        for (int d = rank - 1; d >= 0; d--) {
            long along = shard.chunksPerShard().get(d);
            shape[d] = pipeline.encodedLengths()[d] / along;
            start[d] = rest % along * shape[d];
            rest /= along;
        }
        long[] targetStride = strides(shape, pipeline.elementBytes());
        return new Region(start, ones(rank), shape, targetStride, 0);
    }

    /** {@return the distance of elements along each dimension in C order, in bytes} */
    private static long[] strides(long[] shape, int elementBytes) {
        long[] strides = new long[shape.length];
        long stride = elementBytes;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= shape[d];
        }
        return strides;
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }
}
