package io.zarrengine.zarr.metadata;

import java.util.Arrays;

/**
 * The positions where the chunks of one dimension begin and end. Immutable.
 *
 * @see <a
 *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/chunk-grids/rectilinear">
 *     zarr-extensions, rectilinear chunk grid</a>
 */
public sealed interface ChunkEdges {
    /**
     * {@return the coordinate of the chunk that holds a position}
     *
     * @param position in the array
     */
    long chunkOf(long position);

    /**
     * {@return the first position of a chunk}
     *
     * @param chunk its coordinate
     */
    long origin(long chunk);

    /**
     * {@return the length of a chunk in positions, also of a part outside the array}
     *
     * @param chunk its coordinate
     */
    long length(long chunk);

    /** {@return the length of the longest chunk} */
    long longest();

    /** {@return the number of positions of all chunks} */
    long covered();

    /**
     * {@return the number of chunks that hold the positions below {@code length}}
     *
     * @param length length of the array, in elements
     */
    long count(long length);

    /**
     * {@return chunks of one length}
     *
     * @param length length of each chunk in positions, {@code > 0}
     */
    static ChunkEdges regular(long length) {
        return new Regular(length);
    }

    /**
     * {@return chunks of individual lengths}
     *
     * @param lengths length of each chunk in positions, {@code > 0}; their sum fits in 63 bits
     * @throws IllegalArgumentException if a length or the sum is out of range
     */
    static ChunkEdges of(long... lengths) {
        long[] origins = new long[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] < 1 || lengths[i] > Long.MAX_VALUE - origins[i]) {
                throw new IllegalArgumentException(
                        "chunk " + i + " has length " + lengths[i] + " behind " + origins[i]);
            }
            origins[i + 1] = origins[i] + lengths[i];
        }
        return new Listed(origins);
    }

    /**
     * Chunks of one length.
     *
     * @param length length of each chunk in positions, {@code > 0}
     */
    record Regular(long length) implements ChunkEdges {
        @Override
        public long chunkOf(long position) {
            return position / length;
        }

        @Override
        public long origin(long chunk) {
            return chunk * length;
        }

        @Override
        public long length(long chunk) {
            return length;
        }

        @Override
        public long longest() {
            return length;
        }

        @Override
        public long covered() {
            return Long.MAX_VALUE;
        }

        @Override
        public long count(long positions) {
            return Math.ceilDiv(positions, length);
        }
    }

    /** Chunks of individual lengths. */
    final class Listed implements ChunkEdges {
        private final long[] origins; // origin of each chunk, then the end of the last

        private Listed(long[] origins) {
            this.origins = origins;
        }

        @Override
        public long chunkOf(long position) {
            int found = Arrays.binarySearch(origins, position);
            return found >= 0 ? found : -found - 2;
        }

        @Override
        public long origin(long chunk) {
            return origins[(int) chunk];
        }

        @Override
        public long length(long chunk) {
            return origins[(int) chunk + 1] - origins[(int) chunk];
        }

        @Override
        public long longest() {
            long longest = 0;
            for (int chunk = 0; chunk < origins.length - 1; chunk++) {
                longest = Math.max(longest, length(chunk));
            }
            return longest;
        }

        @Override
        public long covered() {
            return origins[origins.length - 1];
        }

        @Override
        public long count(long positions) {
            return positions == 0 ? 0 : chunkOf(positions - 1) + 1;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Listed listed && Arrays.equals(origins, listed.origins);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(origins);
        }

        @Override
        public String toString() {
            return "origins " + Arrays.toString(origins);
        }
    }
}
