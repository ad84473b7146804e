package io.zarrengine.zarr.plan;

import java.util.Arrays;

/**
 * Things that lie in chunks, brought together by chunk: the chunks ascend, and the things of one
 * keep their order. Immutable.
 */
final class ByChunk {
    private final int[] order; // the things' numbers, by chunk
    private final int[] first; // (chunks + 1), in order
    private int chunks;

    /**
     * Groups things.
     *
     * @param chunkNumbers the chunk of each thing, at most {@code Integer.MAX_VALUE} / 2 of them
     */
    ByChunk(long[] chunkNumbers) {
        int things = chunkNumbers.length;
        long[] distinct = Arrays.stream(chunkNumbers).sorted().distinct().toArray();
        long[] keys = new long[things];
        Arrays.setAll(
                keys, i -> (long) Arrays.binarySearch(distinct, chunkNumbers[i]) * things + i);
        Arrays.parallelSort(keys);
        order = new int[things];
        first = new int[distinct.length + 1];
        long lastChunk = -1;
        for (int i = 0; i < things; i++) {
            order[i] = (int) (keys[i] % things);
            if (keys[i] / things != lastChunk) {
                lastChunk = keys[i] / things;
                first[chunks++] = i;
            }
        }
        first[chunks] = things;
    }

    /** {@return how many chunks hold anything} */
    int chunks() {
        return chunks;
    }

    /** {@return where the things of a chunk begin; of the number of chunks, where the last ends} */
    int first(int chunk) {
        return first[chunk];
    }

    /** {@return the number of a thing, in the order by chunk} */
    int thing(int index) {
        return order[index];
    }
}
