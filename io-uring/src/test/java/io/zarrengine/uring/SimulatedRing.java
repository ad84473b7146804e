package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A ring over a byte array that reorders, shortens, interrupts and fails reads, from a seed.
 *
 * <p>Fault model: with probability {@code faultRate} a read is answered EINTR, EAGAIN or EIO; with
 * the same probability it is short. Completions come late and in any order. A waiting enter may
 * return without one, as after a signal. The memory of a read is written when it completes, not
 * when it is submitted.
 */
final class SimulatedRing implements Ring {
    private record Pending(int slot, long fileOffset, List<MemorySegment> pieces, int bytes) {}

    private final byte[] file;
    private final SplittableRandom random;
    private final double faultRate;
    private final int entries;
    private final List<Pending> prepared = new ArrayList<>();
    private final List<Pending> submitted = new ArrayList<>();
    private final BitSet refused = new BitSet(); // slots whose read the kernel will not take
    private long enters;
    private boolean broken;
    private int alignment = 1; // of the file attached last
    private boolean refusesFlags;
    private boolean refusesFiles;
    private boolean closed;

    SimulatedRing(byte[] file, int entries, long seed, double faultRate) {
        this.file = file;
        this.entries = entries;
        this.random = new SplittableRandom(seed);
        this.faultRate = faultRate;
    }

    /** Makes the kernel refuse everything from now on. */
    void breakDown() {
        broken = true;
    }

    /** Makes reads with flags fail with EOPNOTSUPP from now on, as on an older kernel. */
    void refuseFlags() {
        refusesFlags = true;
    }

    /** Sets whether the kernel refuses files from now on, as without memory. */
    void refuseFiles(boolean refuses) {
        refusesFiles = refuses;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public int entries() {
        return entries;
    }

    @Override
    public int filesMax() {
        return 8;
    }

    @Override
    public void setFile(int fileNumber, FileHandle handle) {
        if (refusesFiles) {
            throw new IllegalStateException("simulated");
        }
        alignment = handle == null ? 1 : handle.alignment();
    }

    @Override
    public void register(MemorySegment memory) {}

    @Override
    public void prepareRead(
            int slot,
            int fileNumber,
            long fileOffset,
            MemorySegment memory,
            long memoryOffset,
            int bytes,
            int flags) {
        assert prepared.size() + submitted.size() < entries : "more reads than the ring holds";
        boolean aligned =
                ((fileOffset | bytes | memory.address() + memoryOffset) & (alignment - 1)) == 0;
        refused.set(slot, !aligned || (refusesFlags && flags != 0));
        List<MemorySegment> piece = List.of(memory.asSlice(memoryOffset, bytes));
        prepared.add(new Pending(slot, fileOffset, piece, bytes));
    }

    @Override
    public void prepareScattered(
            int slot,
            int fileNumber,
            long fileOffset,
            List<MemorySegment> pieces,
            long skippedBytes,
            int flags) {
        assert prepared.size() + submitted.size() < entries : "more reads than the ring holds";
        List<MemorySegment> left = new ArrayList<>();
        long skipped = skippedBytes;
        boolean aligned = true;
        int bytes = 0;
        for (MemorySegment piece : pieces) {
            long own = Math.min(skipped, piece.byteSize());
            skipped -= own;
            if (own < piece.byteSize()) {
                MemorySegment rest = piece.asSlice(own);
                aligned &= ((fileOffset | rest.byteSize() | rest.address()) & (alignment - 1)) == 0;
                left.add(rest);
                bytes += (int) rest.byteSize();
            }
        }
        refused.set(slot, !aligned || (refusesFlags && flags != 0));
        prepared.add(new Pending(slot, fileOffset, left, bytes));
    }

    @Override
    public void enter(boolean wait) throws ErrnoException {
        if (broken) {
            throw new ErrnoException("io_uring_enter", "simulated", -Errno.EBADF);
        }
        enters++;
        submitted.addAll(prepared);
        prepared.clear();
    }

    @Override
    public int reap(int[] slots, int[] results) {
        if (submitted.isEmpty() || fault()) {
            return 0;
        }
        int count = 1 + random.nextInt(Math.min(submitted.size(), slots.length));
        for (int i = 0; i < count; i++) {
            Pending read = submitted.remove(random.nextInt(submitted.size()));
            slots[i] = read.slot;
            results[i] =
                    refused.get(read.slot)
                            ? refusesFlags ? -Errno.EOPNOTSUPP : -Errno.EINVAL
                            : fault() ? failure() : copy(read);
        }
        return count;
    }

    @Override
    public void wake() {}

    @Override
    public long enters() {
        return enters;
    }

    @Override
    public void close() {
        assert submitted.isEmpty() : "closed with reads in flight";
        closed = true;
    }

    private boolean fault() {
        return random.nextDouble() < faultRate;
    }

    private int failure() {
        return switch (random.nextInt(8)) {
            case 0 -> -Errno.EIO;
            case 1, 2, 3 -> -Errno.EAGAIN;
            default -> -Errno.EINTR;
        };
    }

    private int copy(Pending read) {
        int wanted = Math.clamp(file.length - read.fileOffset, 0, read.bytes);
        int count = wanted > 1 && fault() ? 1 + random.nextInt(wanted - 1) : wanted;
        MemorySegment source = MemorySegment.ofArray(file);
        long offset = Math.min(read.fileOffset, file.length);
        int copied = 0;
        for (MemorySegment piece : read.pieces) {
            int bytes = (int) Math.min(piece.byteSize(), count - copied);
            MemorySegment.copy(source, offset + copied, piece, 0, bytes);
            copied += bytes;
        }
        return count;
    }
}
