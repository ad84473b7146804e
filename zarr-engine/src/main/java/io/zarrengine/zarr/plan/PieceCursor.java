package io.zarrengine.zarr.plan;

import java.util.List;

/**
 * What is wanted of one piece after the other: a region is worked out when it is asked for, always
 * in the same memory. Owner: one thread.
 */
public final class PieceCursor implements WantedRegions {
    private InnerPieces pieces;
    private int piece;
    private List<Integer> order; // null: the dimensions stay in theirs
    private Region region = Region.ofRank(0);
    private Region permuted = Region.ofRank(0);
    private long[] origin = {};

    /** Creates one that stands nowhere. */
    public PieceCursor() {}

    /**
     * Goes to a piece.
     *
     * @param newPieces of a shard
     * @param newPiece which
     * @param newOrder of its dimensions: {@code i} becomes what was {@code order[i]}; null if they
     *     stay
     */
    public void set(InnerPieces newPieces, int newPiece, List<Integer> newOrder) {
        pieces = newPieces;
        piece = newPiece;
        order = newOrder;
        if (region.rank() != pieces.rank()) {
            region = Region.ofRank(pieces.rank());
            permuted = Region.ofRank(pieces.rank());
            origin = new long[pieces.rank()];
        }
    }

    @Override
    public int size() {
        return pieces.partCount(piece);
    }

    @Override
    public Region get(int i) {
        pieces.part(piece, i, origin, region);
        if (order == null) {
            return region;
        }
        permuted.setPermuted(region, order);
        return permuted;
    }

    @Override
    public List<Region> toList() {
        Region[] all = new Region[size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = get(i).copy();
        }
        return List.of(all);
    }
}
