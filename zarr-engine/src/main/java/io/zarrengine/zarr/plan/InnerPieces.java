package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkEdges;
import java.util.Arrays;
import java.util.List;

/**
 * Regions of a shard, cut along its inner chunks. Each inner chunk that holds a position of any
 * region is one piece. Immutable.
 *
 * <p>For several regions, it keeps one number for each pair of a region and an inner chunk that the
 * region touches. It computes the parts of a piece on request.
 */
public final class InnerPieces {
    private final List<Region> regions;
    private final long[] innerShape;
    private final long[] chunksPerShard;
    private final InnerCuts single; // for one region, the usual case; needs no table
    private final ChunkRegionPairs pairs; // for several regions

    /**
     * Cuts regions with at least one position each; neither copies nor changes the arrays.
     *
     * @param regions positions in the shard; they must not change
     * @param innerShape length of an inner chunk along each dimension
     * @param chunksPerShard inner chunks along each dimension
     */
    public InnerPieces(List<Region> regions, long[] innerShape, long[] chunksPerShard) {
        this.regions = regions;
        this.innerShape = innerShape;
        this.chunksPerShard = chunksPerShard;
        if (regions.size() == 1) {
            single = new InnerCuts(regions.getFirst(), innerShape, chunksPerShard);
            pairs = null;
        } else {
            List<ChunkEdges> edges =
                    Arrays.stream(innerShape).mapToObj(ChunkEdges::regular).toList();
            single = null;
            pairs = new ChunkRegionPairs(regions, edges, chunksPerShard);
        }
    }

    int rank() {
        return innerShape.length;
    }

    /** {@return the number of inner chunks that hold a position} */
    public int pieces() {
        return single != null ? single.pieces() : pairs.chunks();
    }

    /**
     * {@return the number of a piece's inner chunk, in C order of the shard}
     *
     * @param piece the piece's number; the inner chunks' numbers ascend with it
     */
    public int chunk(int piece) {
        return single != null ? single.chunk(piece) : (int) pairs.chunk(piece);
    }

    /**
     * {@return the positions of a piece, relative to the origin of its inner chunk; a {@link
     * PieceCursor} reads them without allocation}
     *
     * @param piece the piece's number
     */
    public List<Region> parts(int piece) {
        if (single != null) {
            Region part = single.newPart();
            single.part(piece, part);
            return List.of(part);
        }
        Region[] parts = new Region[partCount(piece)];
        long[] origin = new long[rank()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Region.ofRank(rank());
            part(piece, i, origin, parts[i]);
        }
        return List.of(parts);
    }

    /** {@return the number of regions that hold a position of a piece} */
    int partCount(int piece) {
        return single != null ? 1 : pairs.first(piece + 1) - pairs.first(piece);
    }

    /**
     * Sets a region to the positions of one part of a piece, relative to the origin of its inner
     * chunk.
     *
     * @param origin scratch memory of {@link #rank} elements
     */
    void part(int piece, int part, long[] origin, Region to) {
        if (single != null) {
            single.part(piece, to);
            return;
        }
        int rest = chunk(piece);
        for (int d = origin.length - 1; d >= 0; d--) {
            int along = (int) chunksPerShard[d];
            origin[d] = rest % along * innerShape[d];
            rest /= along;
        }
        int region = pairs.region(pairs.first(piece) + part);
        to.setInside(regions.get(region), origin, innerShape);
    }
}
