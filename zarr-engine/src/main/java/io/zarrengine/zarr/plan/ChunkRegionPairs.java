package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkEdges;
import java.util.Arrays;
import java.util.List;

/**
 * The pairs of a region and a chunk that holds a position of it, as one number each, sorted by
 * chunk and then by region. Immutable. It takes 8 bytes for each pair and 4 for each chunk.
 */
final class ChunkRegionPairs {
    private final int regionBits;
    private final long[] pairs; // chunk << regionBits | region; sorted
    private final int[] firstPair; // (chunks + 1)

    /**
     * Finds the chunks.
     *
     * @param regions regions with at least one position each; their number must {@link #fit}
     * @param edges the chunk edges of each dimension
     * @param chunksAlong number of chunks along each dimension
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
     * {@return whether numbers of regions and of chunks fit in 63 bits together}
     *
     * @param chunksAlong number of chunks along each dimension
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
     * Writes the chunk number of each combination of cuts, extending the combinations by one
     * dimension at a time. Returns the end of the written numbers.
     */
    private int addChunks(DimensionCut[] cuts, long[] chunksAlong, int at) {
        int combinations = 1;
        pairs[at] = 0;
        for (int d = 0; d < cuts.length; d++) {
            int along = (int) cuts[d].cuts();
            for (int i = combinations - 1; i >= 0; i--) { // Descending, because it works in place.
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

    /** {@return the number of pairs} */
    int count() {
        return pairs.length;
    }

    /** {@return the number of chunks that hold a position} */
    int chunks() {
        return firstPair.length - 1;
    }

    /** {@return the number of a chunk in C order of the grid; these numbers ascend} */
    long chunk(int i) {
        return pairs[firstPair[i]] >>> regionBits;
    }

    /** {@return the first pair of chunk {@code i}; for {@code chunks()}, the number of pairs} */
    int first(int i) {
        return firstPair[i];
    }

    /** {@return the number of a pair's region} */
    int region(int pair) {
        return (int) (pairs[pair] & (1L << regionBits) - 1);
    }
}
