package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkEdges;

/**
 * Equidistant positions of one dimension, cut along chunks. Cut {@code i} holds the positions in
 * the {@code i}-th chunk that holds any.
 */
interface DimensionCut {
    /** {@return the number of chunks that hold a position} */
    long cuts();

    /** {@return the coordinate of the chunk of cut {@code i}} */
    long chunk(long i);

    /** {@return the number of the first position in cut {@code i}} */
    long first(long i);

    /** {@return the number of positions in cut {@code i}} */
    long count(long i);

    /** {@return the offset of the first position of cut {@code i} in its chunk, in elements} */
    long startInChunk(long i);

    /**
     * {@return the cuts of positions}
     *
     * @param start the first position
     * @param step their distance, {@code > 0}
     * @param count number of positions, {@code > 0}
     * @param edges the chunk edges
     */
    static DimensionCut of(long start, long step, long count, ChunkEdges edges) {
        return switch (edges) {
            case ChunkEdges.Regular regular -> new RegularCut(start, step, count, regular.length());
            case ChunkEdges.Listed listed -> new ListedCut(start, step, count, listed);
        };
    }
}
