package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileParts;
import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.uring.plan.ReadPlan;

/**
 * The pieces of a shard that must be read, in the order of the file, and the stretches that they
 * are read in. Neighbours are read together.
 *
 * <p>Flat arrays. Stretch {@code s} holds the entries {@code begin(s)} to {@code end(s)}, one for
 * each piece. Units: bytes from the start of the shard.
 */
final class Stretches {
    private final ReadPlan plan; // A range for each piece, all of one file, and none is cut.
    private final int[] pieces; // by range

    private Stretches(ReadPlan plan, int[] pieces) {
        this.plan = plan;
        this.pieces = pieces;
    }

    /** {@return the number of stretches} */
    int count() {
        return plan.readCount();
    }

    /** {@return where a stretch begins} */
    long offset(int stretch) {
        return plan.offset(stretch);
    }

    /** {@return the length of a stretch} */
    long bytes(int stretch) {
        return plan.bytes(stretch);
    }

    /** {@return the length of some stretches and the gaps; one may hold all of the next} */
    long bytes(int first, int end) {
        long last = 0;
        for (int stretch = first; stretch < end; stretch++) {
            last = Math.max(last, offset(stretch) + bytes(stretch));
        }
        return last - offset(first);
    }

    /** {@return some stretches as parts of a file in which the shard begins at an offset} */
    FileParts parts(int first, int end, long shardOffset) {
        return new Some(this, first, end - first, shardOffset);
    }

    private record Some(Stretches all, int first, int count, long shardOffset)
            implements FileParts {
        @Override
        public long offset(int part) {
            return shardOffset + all.offset(first + part);
        }

        @Override
        public long bytes(int part) {
            return all.bytes(first + part);
        }
    }

    /** {@return the first entry of a stretch} */
    int begin(int stretch) {
        return plan.firstPart(stretch);
    }

    /** {@return one more than the last entry of a stretch} */
    int end(int stretch) {
        return plan.endPart(stretch);
    }

    /** {@return the piece of entry {@code i}} */
    int piece(int i) {
        return pieces[plan.range(i)];
    }

    /** {@return where the piece of entry {@code i} begins} */
    long pieceOffset(int i) {
        return plan.partOffset(i);
    }

    /** {@return the encoded size of the piece of entry {@code i}} */
    long pieceBytes(int i) {
        return plan.partBytes(i);
    }

    /** Collects pieces in any order. */
    static final class Builder {
        private static final int FILE = 0; // The shard's.
        private static final long NEVER_CUT = 1L << 62;

        private final FuseRule rule; // Reads are aligned later: StretchRead
        private final ReadPlan plan;
        private final int[] pieces;

        /**
         * {@code fusedBytesMax}: the longest stretch of several pieces; 0 keeps each apart. {@code
         * ofFile}: the rule of the file.
         */
        Builder(int piecesMax, long fusedBytesMax, FuseRule ofFile) {
            rule = new FuseRule(ofFile.gapBytes(), fusedBytesMax, NEVER_CUT, 1);
            plan = new ReadPlan(piecesMax);
            pieces = new int[piecesMax];
        }

        void add(int piece, long offset, long pieceBytes) {
            pieces[plan.add(FILE, offset, pieceBytes)] = piece;
        }

        Stretches build() {
            plan.arrange(rule);
            return new Stretches(plan, pieces);
        }
    }
}
