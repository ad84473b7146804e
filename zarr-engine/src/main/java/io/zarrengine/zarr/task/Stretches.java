package io.zarrengine.zarr.task;

import io.zarrengine.uring.plan.FileParts;
import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.uring.plan.ReadPlan;
import io.zarrengine.zarr.diskcache.KeptBlocks;
import java.util.Optional;

/**
 * The pieces of a shard that must be read, and the stretches that they are read in. Pieces near
 * each other in the file are one stretch.
 *
 * <p>Entries are the pieces in the order of the file. Stretch {@code s} holds the entries from
 * {@code begin(s)} to before {@code end(s)}. Offsets are in bytes from the start of the shard.
 */
final class Stretches {
    private final ReadPlan plan; // one range of one file for each piece; no range is cut
    private final int[] pieces; // the piece of each range

    private Stretches(ReadPlan plan, int[] pieces) {
        this.plan = plan;
        this.pieces = pieces;
    }

    /** {@return the number of stretches} */
    int count() {
        return plan.readCount();
    }

    /** {@return the offset of a stretch} */
    long offset(int stretch) {
        return plan.offset(stretch);
    }

    /** {@return the length of a stretch} */
    long bytes(int stretch) {
        return plan.bytes(stretch);
    }

    /**
     * {@return the bytes from the first stretch's begin to the last byte of any of them} A stretch
     * may contain all of the next one.
     */
    long bytes(int first, int end) {
        long last = 0;
        for (int stretch = first; stretch < end; stretch++) {
            last = Math.max(last, offset(stretch) + bytes(stretch));
        }
        return last - offset(first);
    }

    /** {@return some stretches as parts of the file, where the shard begins at an offset} */
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

    /** {@return the offset of the piece of entry {@code i}} */
    long pieceOffset(int i) {
        return plan.partOffset(i);
    }

    /** {@return the encoded size of the piece of entry {@code i}} */
    long pieceBytes(int i) {
        return plan.partBytes(i);
    }

    /** Collects pieces in any order. */
    static final class Builder implements AutoCloseable {
        private static final int FILE = 0; // the only file of the plan
        private static final long NEVER_CUT = 1L << 62;

        private final FuseRule rule; // StretchRead aligns the reads
        private final long shardOffset; // in the file
        private final Optional<KeptBlocks> kept;
        private boolean areAllKept;
        private final ReadPlan plan;
        private final int[] pieces;

        /** {@code fusedBytesMax} limits stretches of several pieces; 0 keeps every piece apart. */
        Builder(ChunkTask chunk, int piecesMax, long fusedBytesMax) {
            this(piecesMax, fusedBytesMax, chunk.fuseRule(), chunk.offset(), chunk.kept());
        }

        /** {@code ofFile} is the file's rule. {@link #close} also closes {@code kept}. */
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

        /** Fuses no gaps: the disk cache may lack the bytes between pieces that it keeps. */
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
