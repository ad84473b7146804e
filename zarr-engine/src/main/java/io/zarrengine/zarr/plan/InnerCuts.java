package io.zarrengine.zarr.plan;

/**
 * A region of a shard, cut along its inner chunks. A piece is the part of the region in one inner
 * chunk; pieces are numbered in C order.
 *
 * <p>Keeps one small table per dimension, and nothing per piece.
 */
final class InnerCuts {
    private final Region region;
    private final int rank;
    private final int[] cutCount; // (rank)
    private final long[][] startInChunk; // (rank)(cut), in elements
    private final long[][] count; // (rank)(cut), positions
    private final long[][] targetOffset; // (rank)(cut), in bytes
    private final int[][] chunkNumber; // (rank)(cut), the cut's contribution to the chunk's number
    private final int pieces;
    private final long[] evenCount; // (rank), of every piece; null if the pieces' counts differ

    /**
     * Cuts a region with at least one position.
     *
     * @param region positions in the shard
     * @param innerShape length of an inner chunk along each dimension
     * @param chunksPerShard inner chunks along each dimension
     */
    InnerCuts(Region region, long[] innerShape, long[] chunksPerShard) {
        this.region = region;
        this.rank = region.rank();
        this.cutCount = new int[rank];
        this.startInChunk = new long[rank][];
        this.count = new long[rank][];
        this.targetOffset = new long[rank][];
        this.chunkNumber = new int[rank][];
        int product = 1;
        int numberStride = 1;
        for (int d = rank - 1; d >= 0; d--) {
            RegularCut cut =
                    new RegularCut(region.start[d], region.step[d], region.count[d], innerShape[d]);
            fill(d, cut, numberStride);
            product *= cutCount[d];
            numberStride *= Math.toIntExact(chunksPerShard[d]);
        }
        this.pieces = product;
        this.evenCount = evenCount();
    }

    private long[] evenCount() {
        long[] even = new long[rank];
        for (int d = 0; d < rank; d++) {
            even[d] = count[d][0];
            for (long positions : count[d]) {
                if (positions != even[d]) {
                    return null;
                }
            }
        }
        return even;
    }

    private void fill(int d, RegularCut cut, int numberStride) {
        int cuts = Math.toIntExact(cut.cuts());
        cutCount[d] = cuts;
        startInChunk[d] = new long[cuts];
        count[d] = new long[cuts];
        targetOffset[d] = new long[cuts];
        chunkNumber[d] = new int[cuts];
        for (int i = 0; i < cuts; i++) {
            startInChunk[d][i] = cut.startInChunk(i);
            count[d][i] = cut.count(i);
            targetOffset[d][i] = cut.first(i) * region.targetStride[d];
            chunkNumber[d][i] = (int) cut.chunk(i) * numberStride;
        }
    }

    int rank() {
        return rank;
    }

    /** {@return the number of inner chunks that hold a position} */
    int pieces() {
        return pieces;
    }

    /**
     * {@return the number of a piece's inner chunk, in C order of the shard}
     *
     * @param piece the piece's number
     */
    int chunk(int piece) {
        int number = 0;
        int rest = piece;
        for (int d = rank - 1; d >= 0; d--) {
            number += chunkNumber[d][rest % cutCount[d]];
            rest /= cutCount[d];
        }
        return number;
    }

    /**
     * {@return a region to pass to {@link #part}; it shares the arrays that are equal for all
     * pieces}
     */
    Region newPart() {
        long[] counts = evenCount == null ? new long[rank] : evenCount;
        return new Region(new long[rank], region.step, counts, region.targetStride, 0);
    }

    /** Sets a region to the positions of a piece, relative to the origin of its inner chunk. */
    @SuppressWarnings("ReferenceEquality") // A shared array must not be written.
    void part(int piece, Region part) {
        part.step = region.step;
        part.targetStride = region.targetStride;
        part.targetOffset = region.targetOffset;
        boolean hasCount = part.count == evenCount;
        int rest = piece;
        for (int d = rank - 1; d >= 0; d--) {
            int i = rest % cutCount[d];
            rest /= cutCount[d];
            part.start[d] = startInChunk[d][i];
            part.targetOffset += targetOffset[d][i];
            if (!hasCount) {
                part.count[d] = count[d][i];
            }
        }
    }
}
