package io.zarrengine.zarr.plan;

import java.util.List;

/**
 * The wanted regions of one piece at a time. Each region is computed on request, always in the same
 * memory. Owner: one thread.
 */
public final class PieceCursor implements WantedRegions {
    private InnerPieces pieces;
    private int piece;
    private List<Integer> order; // null keeps the order of the dimensions
    private Region region = Region.ofRank(0);
    private Region permuted = Region.ofRank(0);
    private long[] origin = {};

    /** Creates a cursor without a piece. */
    public PieceCursor() {}

    /**
     * Moves to a piece.
     *
     * @param newPieces the pieces of a shard
     * @param newPiece number of the piece
     * @param newOrder the order of dimensions: new dimension {@code i} is dimension {@code
     *     newOrder[i]} of the piece; null keeps the order
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
