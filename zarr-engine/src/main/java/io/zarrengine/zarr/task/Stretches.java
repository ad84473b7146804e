package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileParts;
import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.uring.plan.ReadPlan;
import io.zarrengine.zarr.diskcache.KeptBlocks;
import java.util.Optional;

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
    static final class Builder implements AutoCloseable {
        private static final int FILE = 0; // The shard's.
        private static final long NEVER_CUT = 1L << 62;

        private final FuseRule rule; // Reads are aligned later: StretchRead
        private final long shardOffset; // in the file
        private final Optional<KeptBlocks> kept;
        private boolean areAllKept;
        private final ReadPlan plan;
        private final int[] pieces;

        /** {@code fusedBytesMax}: the longest stretch of several pieces; 0 keeps each apart. */
        Builder(ChunkTask chunk, int piecesMax, long fusedBytesMax) {
            this(piecesMax, fusedBytesMax, chunk.fuseRule(), chunk.offset(), chunk.kept());
        }

        /** {@code ofFile}: the rule of the file. {@code kept}: closed with this. */
        Builder(
                int piecesMax,
                long fusedBytesMax,
                FuseRule ofFile,
                long shardOffset,
                Optional<KeptBlocks> kept) {
            this.rule = new FuseRule(ofFile.gapBytes(), fusedBytesMax, NEVER_CUT, 1);
            this.shardOffset = shardOffset;
            this.kept = kept;
            areAllKept = kept.isPresent();
            plan = new ReadPlan(piecesMax);
            pieces = new int[piecesMax];
        }

        void add(int piece, long offset, long pieceBytes) {
            pieces[plan.add(FILE, offset, pieceBytes)] = piece;
            areAllKept = areAllKept && kept.get().has(shardOffset + offset, pieceBytes);
        }

        Stretches build() {
            plan.arrange(areAllKept ? ruleOnDisk() : rule);
            return new Stretches(plan, pieces);
        }

        /** What lies between kept pieces may not be kept. */
        private FuseRule ruleOnDisk() {
            long bytesMax = Math.min(rule.fusedBytesMax(), FuseRule.BUFFERED.fusedBytesMax());
            return new FuseRule(0, bytesMax, NEVER_CUT, 1);
        }

        @Override
        public void close() {
            kept.ifPresent(KeptBlocks::close);
        }
    }
}
