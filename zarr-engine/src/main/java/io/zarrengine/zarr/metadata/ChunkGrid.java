package io.zarrengine.zarr.metadata;

import java.util.Arrays;
import java.util.List;

/**
 * The grid that divides an array into chunks.
 *
 * @param dimensions the chunk edges of each dimension
 */
public record ChunkGrid(List<ChunkEdges> dimensions) {
    /** Copies the list. */
    public ChunkGrid {
        dimensions = List.copyOf(dimensions);
    }

    /**
     * {@return a grid of chunks of one shape}
     *
     * @param chunkShape length of a chunk along each dimension, {@code > 0}
     */
    public static ChunkGrid regular(long... chunkShape) {
        return new ChunkGrid(Arrays.stream(chunkShape).mapToObj(ChunkEdges::regular).toList());
    }

    /** {@return whether all chunks have one shape} */
    public boolean isRegular() {
        return dimensions.stream().allMatch(ChunkEdges.Regular.class::isInstance);
    }

    /** {@return the number of dimensions} */
    public int rank() {
        return dimensions.size();
    }

    /**
     * {@return the length of the longest chunk along each dimension; the shape of all chunks if the
     * grid is regular}
     */
    public long[] largestChunkShape() {
        return dimensions.stream().mapToLong(ChunkEdges::longest).toArray();
    }

    /**
     * {@return the shape of a chunk, with its part outside the array}
     *
     * @param coordinates coordinates of the chunk in the grid
     */
    public long[] chunkShape(long... coordinates) {
        long[] shape = new long[coordinates.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = dimensions.get(d).length(coordinates[d]);
        }
        return shape;
    }

    /**
     * {@return the first position of a chunk}
     *
     * @param coordinates coordinates of the chunk in the grid
     */
    public long[] origin(long... coordinates) {
        long[] origin = new long[coordinates.length];
        for (int d = 0; d < origin.length; d++) {
            origin[d] = dimensions.get(d).origin(coordinates[d]);
        }
        return origin;
    }

    /**
     * {@return the number of chunks along each dimension}
     *
     * @param shape shape of the array
     */
    public long[] gridShape(long... shape) {
        long[] counts = new long[shape.length];
        for (int d = 0; d < counts.length; d++) {
            counts[d] = dimensions.get(d).count(shape[d]);
        }
        return counts;
    }
}
