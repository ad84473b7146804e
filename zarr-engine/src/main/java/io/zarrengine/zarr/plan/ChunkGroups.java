package io.zarrengine.zarr.plan;

import java.util.Arrays;

/**
 * Items that lie in chunks, grouped by chunk. The chunks ascend, and the items of one chunk keep
 * their order. Immutable.
 */
public final class ChunkGroups {
    private final int[] order; // numbers of the items, by chunk
    private final int[] first; // (chunks + 1), indexes in order
    private final int chunks;

    /**
     * Groups items.
     *
     * @param chunkNumbers the chunk of each item, at most {@code Integer.MAX_VALUE} / 2 of them;
     *     the constructor overwrites the array
     */
    public ChunkGroups(long[] chunkNumbers) {
        int items = chunkNumbers.length;
        long max = 0;
        for (long number : chunkNumbers) {
            max = Math.max(max, number);
        }
        boolean fits = Math.multiplyHigh(max + 1, items) == 0 && (max + 1) * items > 0;
        long[] keys = fits ? chunkNumbers : ranks(chunkNumbers);
        for (int i = 0; i < items; i++) {
            keys[i] = keys[i] * items + i;
        }
        Arrays.parallelSort(keys);
        order = new int[items];
        int found = 0;
        long last = -1;
        for (int i = 0; i < items; i++) {
            long number = keys[i] / items;
            order[i] = (int) (keys[i] - number * items);
            found += number == last ? 0 : 1;
            last = number;
            keys[i] = number;
        }
        chunks = found;
        first = new int[chunks + 1];
        int chunk = 0;
        for (int i = 0; i < items; i++) {
            if (i == 0 || keys[i] != keys[i - 1]) {
                first[chunk++] = i;
            }
        }
        first[chunks] = items;
    }

    /**
     * Smaller numbers in the same order. Needed if a key has no room for a chunk's number and a
     * item's number.
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

    /** {@return the number of chunks that hold a item} */
    int chunks() {
        return chunks;
    }

    /**
     * {@return the index of a chunk's first item; for the number of chunks, the end of the last
     * one}
     */
    int first(int chunk) {
        return first[chunk];
    }

    /**
     * {@return the number of a item, in the order by chunk}
     *
     * @param index the number of items before it
     */
    public int item(int index) {
        return order[index];
    }
}
