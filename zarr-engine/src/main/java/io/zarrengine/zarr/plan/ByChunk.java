package io.zarrengine.zarr.plan;

import java.util.Arrays;

/**
 * Things that lie in chunks, grouped by chunk. The chunks ascend, and the things of one chunk keep
 * their order. Immutable.
 */
public final class ByChunk {
    private final int[] order; // numbers of the things, by chunk
    private final int[] first; // (chunks + 1), indexes in order
    private final int chunks;

    /**
     * Groups things.
     *
     * @param chunkNumbers the chunk of each thing, at most {@code Integer.MAX_VALUE} / 2 of them;
     *     the constructor overwrites the array
     */
    public ByChunk(long[] chunkNumbers) {
        int things = chunkNumbers.length;
        long max = 0;
        for (long number : chunkNumbers) {
            max = Math.max(max, number);
        }
        boolean fits = Math.multiplyHigh(max + 1, things) == 0 && (max + 1) * things > 0;
        long[] keys = fits ? chunkNumbers : ranks(chunkNumbers);
        for (int i = 0; i < things; i++) {
            keys[i] = keys[i] * things + i;
        }
        Arrays.parallelSort(keys);
        order = new int[things];
        int found = 0;
        long last = -1;
        for (int i = 0; i < things; i++) {
            long number = keys[i] / things;
            order[i] = (int) (keys[i] - number * things);
            found += number == last ? 0 : 1;
            last = number;
            keys[i] = number;
        }
        chunks = found;
        first = new int[chunks + 1];
        int chunk = 0;
        for (int i = 0; i < things; i++) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                first[chunk++] = i;
            }
        }
        first[chunks] = things;
    }

    /**
     * Smaller numbers in the same order. Needed if a key has no room for a chunk's number and a
     * thing's number.
     */
    private static long[] ranks(long[] chunkNumbers) {
        long[] sorted = chunkNumbers.clone();
        Arrays.sort(sorted);
        int distinct = 0;
        for (long number : sorted) {
            if (distinct == 0 || sorted[distinct - 1] != number) {
                sorted[distinct++] = number;
            }
        }
        long[] ranks = new long[sorted.length];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = Arrays.binarySearch(sorted, 0, distinct, chunkNumbers[i]);
        }
        return ranks;
    }

    /** {@return the number of chunks that hold a thing} */
    int chunks() {
        return chunks;
    }

    /**
     * {@return the index of a chunk's first thing; for the number of chunks, the end of the last
     * one}
     */
    int first(int chunk) {
        return first[chunk];
    }

    /**
     * {@return the number of a thing, in the order by chunk}
     *
     * @param index the number of things before it
     */
    public int thing(int index) {
        return order[index];
    }
}
