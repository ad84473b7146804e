package io.zarrengine.zarr.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Regions of a shard, cut along its inner chunks: each inner chunk that holds a position of any of
 * them is a piece, once. Immutable.
 */
public final class InnerPieces {
    private final List<InnerCuts> cuts; // of each region
    private final int pieces;
    private final int[] cutsBefore; // of several regions: the cuts of those before each
    private final long[] byChunk; // of several regions: inner chunk and number of the cut; sorted
    private final int[] firstCut; // (pieces + 1), in byChunk

    /**
     * Cuts regions with at least one position each.
     *
     * @param regions positions in the shard
     * @param innerShape length of an inner chunk along each dimension
     * @param chunksPerShard inner chunks along each dimension
     */
    public InnerPieces(List<Region> regions, List<Long> innerShape, List<Long> chunksPerShard) {
        cuts =
                regions.stream()
                        .map(region -> new InnerCuts(region, innerShape, chunksPerShard))
                        .toList();
        if (cuts.size() == 1) { // The usual case needs no table.
            pieces = cuts.getFirst().pieces();
            cutsBefore = null;
            byChunk = null;
            firstCut = null;
        } else {
            cutsBefore = new int[cuts.size() + 1];
            for (int region = 0; region < cuts.size(); region++) {
                cutsBefore[region + 1] =
                        Math.addExact(cutsBefore[region], cuts.get(region).pieces());
            }
            byChunk = sorted();
            firstCut = new int[byChunk.length + 1];
            pieces = group();
        }
    }

    private long[] sorted() {
        int all = cutsBefore[cuts.size()];
        long[] keys = new long[all];
        for (int region = 0; region < cuts.size(); region++) {
            for (int cut = 0; cut < cuts.get(region).pieces(); cut++) {
                int number = cutsBefore[region] + cut;
                keys[number] = (long) cuts.get(region).chunk(cut) * all + number;
            }
        }
        Arrays.sort(keys);
        return keys;
    }

    private int group() {
        int groups = 0;
        for (int i = 0; i < byChunk.length; i++) {
            if (i == 0 || chunkOf(byChunk[i]) != chunkOf(byChunk[i - 1])) {
                firstCut[groups++] = i;
            }
        }
        firstCut[groups] = byChunk.length;
        return groups;
    }

    private int chunkOf(long key) {
        return (int) (key / byChunk.length);
    }

    /** {@return how many inner chunks hold a position} */
    public int pieces() {
        return pieces;
    }

    /**
     * {@return the number of the inner chunk of a piece, in C order of the shard}
     *
     * @param piece which; their chunks ascend
     */
    public int chunk(int piece) {
        return byChunk == null ? cuts.getFirst().chunk(piece) : chunkOf(byChunk[firstCut[piece]]);
    }

    /**
     * {@return the positions of a piece, counted from the origin of its inner chunk}
     *
     * @param piece which
     */
    public List<Region> parts(int piece) {
        if (byChunk == null) {
            return List.of(cuts.getFirst().part(piece));
        }
        List<Region> parts = new ArrayList<>();
        for (int i = firstCut[piece]; i < firstCut[piece + 1]; i++) {
            int number = (int) (byChunk[i] % byChunk.length);
            int found = Arrays.binarySearch(cutsBefore, number);
            int region = found >= 0 ? found : -found - 2;
            parts.add(cuts.get(region).part(number - cutsBefore[region]));
        }
        return parts;
    }
}
