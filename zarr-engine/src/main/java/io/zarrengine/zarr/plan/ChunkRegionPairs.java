package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkEdges;
import java.util.Arrays;
import java.util.List;

/**
 * Which chunks hold positions of which regions: one number for each pair, by chunk and then by
 * region. Immutable; 8 bytes for each pair, and 4 for each chunk.
 */
final class ChunkRegionPairs {
    private final int regionBits;
    private final long[] pairs; // chunk << regionBits | region; sorted
    private final int[] firstPair; // (chunks + 1)

    /**
     * Finds the chunks.
     *
     * @param regions with at least one position each; as many as {@link #fit}
     * @param edges where the chunks begin and end along each dimension
     * @param chunksAlong how many there are along each dimension
     * @throws ArithmeticException if there are more than {@code Integer.MAX_VALUE} pairs
     */
    ChunkRegionPairs(List<Region> regions, List<ChunkEdges> edges, long[] chunksAlong) {
        regionBits = bits(regions.size());
        int count = 0;
        for (int region = 0; region < regions.size(); region++) {
            count = Math.addExact(count, Math.toIntExact(regions.get(region).chunks(edges)));
        }
        pairs = new long[count];
        int at = 0;
        for (int region = 0; region < regions.size(); region++) {
            int end = addChunks(regions.get(region).cuts(edges), chunksAlong, at);
            for (; at < end; at++) {
                pairs[at] = pairs[at] << regionBits | region;
            }
        }
        Arrays.sort(pairs);
        firstPair = group();
    }

    /**
     * {@return whether the numbers of so many regions fit beside those of chunks}
     *
     * @param chunksAlong how many there are along each dimension
     */
    static boolean fit(int regions, long... chunksAlong) {
        long numbers = 1L << bits(regions);
        for (long chunks : chunksAlong) {
            if (Math.multiplyHigh(numbers, chunks) != 0 || numbers * chunks < 0) {
                return false;
            }
            numbers *= chunks;
        }
        return true;
    }

    private static int bits(int regions) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(regions);
    }

    /**
     * Writes the number of each combination of cuts: it grows by a dimension at a time. Returns
     * where the last one ends.
     */
    private int addChunks(DimensionCut[] cuts, long[] chunksAlong, int at) {
        int combinations = 1;
        pairs[at] = 0;
        for (int d = 0; d < cuts.length; d++) {
            int along = (int) cuts[d].cuts();
            for (int i = combinations - 1; i >= 0; i--) { // From behind: in the same place.
                long number = pairs[at + i] * chunksAlong[d];
                for (int cut = along - 1; cut >= 0; cut--) {
                    pairs[at + i * along + cut] = number + cuts[d].chunk(cut);
                }
            }
            combinations *= along;
        }
        return at + combinations;
    }

    private boolean beginsChunk(int pair) {
        return pair == 0 || pairs[pair] >>> regionBits != pairs[pair - 1] >>> regionBits;
    }

    private int[] group() {
        int chunks = 0;
        for (int pair = 0; pair < pairs.length; pair++) {
            chunks += beginsChunk(pair) ? 1 : 0;
        }
        int[] first = new int[chunks + 1];
        int chunk = 0;
        for (int pair = 0; pair < pairs.length; pair++) {
            if (beginsChunk(pair)) {
                first[chunk++] = pair;
            }
        }
        first[chunk] = pairs.length;
        return first;
    }

    /** {@return how many pairs of a chunk and a region there are} */
    int count() {
        return pairs.length;
    }

    /** {@return how many chunks hold a position} */
    int chunks() {
        return firstPair.length - 1;
    }

    /** {@return the number of a chunk, in C order of the grid; they ascend} */
    long chunk(int i) {
        return pairs[firstPair[i]] >>> regionBits;
    }

    /** {@return the first pair of chunk {@code i}; of the number of chunks, where the last ends} */
    int first(int i) {
        return firstPair[i];
    }

    /** {@return the number of a pair's region} */
    int region(int pair) {
        return (int) (pairs[pair] & (1L << regionBits) - 1);
    }
}
