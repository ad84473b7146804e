package io.zarrengine.zarr.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Regions of a shard, cut along its inner chunks: each inner chunk that holds a position of any of
 * them is a piece, once. Immutable.
 *
 * <p>Of several regions, one number is kept for each inner chunk that each of them touches; what
 * lies in it is worked out when it is asked for.
 */
public final class InnerPieces {
    private final List<Region> regions;
    private final long[] innerShape;
    private final long[] chunksPerShard;
    private final InnerCuts single; // of one region, the usual case: it needs no table
    private final int pieces;
    private final int regionBits;
    private final long[] touches; // of several: inner chunk << regionBits | region; sorted
    private final int[] firstTouch; // (pieces + 1), in touches

    /**
     * Cuts regions with at least one position each; the arrays are neither copied nor changed.
     *
     * @param regions positions in the shard
     * @param innerShape length of an inner chunk along each dimension
     * @param chunksPerShard inner chunks along each dimension
     */
    public InnerPieces(List<Region> regions, long[] innerShape, long[] chunksPerShard) {
        this.regions = regions;
        this.innerShape = innerShape;
        this.chunksPerShard = chunksPerShard;
        if (regions.size() == 1) {
            single = new InnerCuts(regions.getFirst(), innerShape, chunksPerShard);
            pieces = single.pieces();
            regionBits = 0;
            touches = null;
            firstTouch = null;
        } else {
            single = null;
            regionBits = Integer.SIZE - Integer.numberOfLeadingZeros(regions.size());
            touches = sortedTouches();
            firstTouch = new int[touches.length + 1];
            pieces = group();
        }
    }

    private long[] sortedTouches() {
        long[] all = new long[2 * regions.size()];
        int count = 0;
        for (int region = 0; region < regions.size(); region++) {
            DimensionCut[] cuts = cuts(regions.get(region));
            int added = 1;
            for (DimensionCut cut : cuts) {
                added = Math.multiplyExact(added, Math.toIntExact(cut.cuts()));
            }
            if (added > all.length - count) {
                all = Arrays.copyOf(all, Math.max(2 * all.length, Math.addExact(count, added)));
            }
            addChunks(cuts, all, count);
            for (int end = count + added; count < end; count++) {
                all[count] = all[count] << regionBits | region;
            }
        }
        long[] exact = Arrays.copyOf(all, count);
        Arrays.sort(exact);
        return exact;
    }

    private DimensionCut[] cuts(Region region) {
        DimensionCut[] cuts = new DimensionCut[innerShape.length];
        for (int d = 0; d < cuts.length; d++) {
            cuts[d] =
                    new RegularCut(region.start[d], region.step[d], region.count[d], innerShape[d]);
        }
        return cuts;
    }

    /** Writes the number of each combination of cuts: it grows by a dimension at a time. */
    private void addChunks(DimensionCut[] cuts, long[] target, int at) {
        int combinations = 1;
        target[at] = 0;
        for (int d = 0; d < cuts.length; d++) {
            int along = (int) cuts[d].cuts();
            for (int i = combinations - 1; i >= 0; i--) { // From behind: in the same place.
                long number = target[at + i] * chunksPerShard[d];
                for (int cut = along - 1; cut >= 0; cut--) {
                    target[at + i * along + cut] = number + cuts[d].chunk(cut);
                }
            }
            combinations *= along;
        }
    }

    private int group() {
        int groups = 0;
        for (int i = 0; i < touches.length; i++) {
            if (i == 0 || touches[i] >>> regionBits != touches[i - 1] >>> regionBits) {
                firstTouch[groups++] = i;
            }
        }
        firstTouch[groups] = touches.length;
        return groups;
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
        return single != null
                ? single.chunk(piece)
                : (int) (touches[firstTouch[piece]] >>> regionBits);
    }

    /**
     * {@return the positions of a piece, counted from the origin of its inner chunk}
     *
     * @param piece which
     */
    public List<Region> parts(int piece) {
        if (single != null) {
            return List.of(single.part(piece));
        }
        long[] origin = origin(chunk(piece));
        int end = firstTouch[piece + 1];
        List<Region> parts = new ArrayList<>(end - firstTouch[piece]);
        for (int i = firstTouch[piece]; i < end; i++) {
            int region = (int) (touches[i] & (1L << regionBits) - 1);
            parts.add(regions.get(region).inside(origin, innerShape));
        }
        return parts;
    }

    /** Where an inner chunk begins, in elements. */
    private long[] origin(int chunk) {
        long[] origin = new long[innerShape.length];
        int rest = chunk;
        for (int d = origin.length - 1; d >= 0; d--) {
            int along = (int) chunksPerShard[d];
            origin[d] = rest % along * innerShape[d];
            rest /= along;
        }
        return origin;
    }
}
