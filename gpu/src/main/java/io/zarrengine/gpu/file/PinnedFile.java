package io.zarrengine.gpu.file;

import io.zarrengine.bindings.UseCount;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.RegisteredMemory;
import io.zarrengine.gpu.chunk.CopySource;
import io.zarrengine.uring.FileChanges;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.MappedFile;
import io.zarrengine.uring.MappingRule;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A file that a device copies from by itself, in windows. Each window is registered on its own,
 * once enough of it was requested and all of it is in memory.
 *
 * <p>Owner: {@link FileRegistry}, and all who retain it. Threads: any; only the device's registers
 * and ends registrations.
 */
public final class PinnedFile implements CopySource {
    /** Bytes of a window. Registering one takes 1.3 ms of the device thread. */
    public static final long WINDOW_BYTES = 64 << 20;

    /** A file that was changed more recently may change again without a new timestamp. */
    private static final long SETTLED_MILLIS = 2000;

    private static final long USED_NANOS = 100_000_000;

    /** The number of unused runs of chunks in a row after which the file is given up. */
    private static final int UNUSED_MAX = 16;

    // Values that replace the number of requested bytes of a window:
    private static final long WANTED = -1;
    private static final long REGISTERED = -2;

    private final FileVersion version;
    private final AtomicLongArray asked; // requested bytes of each window
    private final UseCount users = new UseCount("a registered file");
    private final AtomicInteger unusedInARow = new AtomicInteger();
    private final ArrayList<RegisteredMemory> registrations =
            new ArrayList<>(); // device thread only
    private long registeredBytes; // this and the following: device thread only
    private boolean isKept; // by the driver
    private MappedFile mapped; // null: not mapped yet. Written once, before WANTED
    private FileChanges.Stamp stamp; // see mapped
    private volatile long usedNanos = System.nanoTime();

    public PinnedFile(FileVersion version) {
        this.version = version;
        this.asked = new AtomicLongArray((int) Math.ceilDiv(version.byteSize(), WINDOW_BYTES));
    }

    /** {@return a file that cannot be used any more} */
    static PinnedFile ended(FileVersion version) {
        PinnedFile file = new PinnedFile(version);
        file.release();
        return file;
    }

    FileVersion version() {
        return version;
    }

    /** {@return the mapped file; see {@link MappedFile#segment}} */
    @Override
    public MemorySegment segment() {
        return mapped.segment();
    }

    /** {@return the end of the window that contains an offset, even if the file ends before it} */
    @Override
    public long windowEnd(long offset) {
        return (offset / WINDOW_BYTES + 1) * WINDOW_BYTES;
    }

    @Override
    public boolean isLent() {
        return false;
    }

    /** {@return whether a device may copy all of a part} */
    boolean isRegistered(long offset, long bytes) {
        for (long at = offset; at < offset + bytes; at = windowEnd(at)) {
            if (asked.get((int) (at / WINDOW_BYTES)) != REGISTERED) {
                return false;
            }
        }
        return true;
    }

    /** Notes a use, which keeps the file registered. */
    void noteUse() {
        long now = System.nanoTime();
        if (now - usedNanos > USED_NANOS) { // Not each time, because all workers read the field.
            usedNanos = now;
        }
    }

    /**
     * {@return the windows of a part for which enough bytes have now been requested to register
     * them}
     */
    List<Integer> ask(MappingRule rule, long offset, long bytes) {
        List<Integer> due = new ArrayList<>();
        for (long at = offset; at < offset + bytes; at = windowEnd(at)) {
            int window = (int) (at / WINDOW_BYTES);
            long inside = Math.min(offset + bytes, windowEnd(at)) - at;
            long before = asked.getAndUpdate(window, sum -> sum < 0 ? sum : sum + inside);
            if (before >= 0 && rule.isDue(before + inside, windowBytes(window))) {
                due.add(window);
            }
        }
        return due;
    }

    /** {@return whether a window was not wanted before; the caller must then queue it} */
    boolean trySetWanted(int window) {
        return asked.getAndUpdate(window, sum -> sum < 0 ? sum : WANTED) >= 0;
    }

    /** The result of an attempt to map a file. */
    enum Mapping {
        /** The file is mapped. */
        DONE,
        /** The file was changed just now. */
        LATER,
        /** The file must not be mapped, or is another file now. */
        NEVER
    }

    /** Maps the file, unless it is mapped already. */
    synchronized Mapping map(FileHandle handle, FileChanges changes, MappingRule rule) {
        if (mapped != null) {
            return Mapping.DONE;
        }
        Optional<FileChanges.Stamp> now = changes.stamp(handle).filter(it -> it.isOf(handle));
        if (now.isPresent() && !(rule.isAtOnce() || isSettled(now.get()))) {
            return Mapping.LATER;
        }
        stamp = now.orElse(null); // before the pages that belong to it are read
        mapped = now.flatMap(_ -> MappedFile.tryOpen(handle)).orElse(null);
        return mapped == null ? Mapping.NEVER : Mapping.DONE;
    }

    private static boolean isSettled(FileChanges.Stamp stamp) {
        long millis = System.currentTimeMillis() - 1000 * stamp.changedSeconds();
        return millis > SETTLED_MILLIS;
    }

    /** {@return the length of a window, in bytes} */
    long windowBytes(int window) {
        return Math.min(WINDOW_BYTES, version.byteSize() - window * WINDOW_BYTES);
    }

    /** Registers a window. Returns false if not all of it is in memory. */
    boolean tryRegister(CudaDevice device, int window) throws CudaException {
        long begin = window * WINDOW_BYTES;
        if (!mapped.isInMemory(begin, windowBytes(window))) {
            return false;
        }
        MemorySegment bytes = segment().asSlice(begin, windowBytes(window));
        registrations.ensureCapacity(registrations.size() + 1); // add() must not lose one
        registrations.add(RegisteredMemory.open(device, bytes));
        registeredBytes += windowBytes(window);
        asked.set(window, REGISTERED);
        return true;
    }

    /** Counts requests of a window from 0 again, because it was not registered. */
    void forgetAsked(int window) {
        asked.set(window, 0);
    }

    /**
     * {@return whether a file is unchanged since it was mapped} Called after the headers were read,
     * because only then a failed access is known.
     */
    public boolean isStill(FileHandle handle, FileChanges changes) {
        return changes.stamp(handle).filter(stamp::isSameAs).isPresent();
    }

    /**
     * Notes whether a run of chunks was handed to the device. Returns false after too many that
     * were not.
     */
    public boolean isOfUse(boolean isUsed) {
        if (isUsed) {
            if (unusedInARow.get() != 0) {
                unusedInARow.set(0);
            }
            return true;
        }
        return unusedInARow.incrementAndGet() < UNUSED_MAX;
    }

    long idleNanos() {
        return System.nanoTime() - usedNanos;
    }

    long registeredBytes() {
        return registeredBytes;
    }

    /** Retains the file until a matching {@link #release}. Returns false if it has ended. */
    boolean tryRetain() {
        return users.tryAdd();
    }

    /** Retains a file that is retained already. */
    @Override
    public void retain() {
        users.add();
    }

    @Override
    public void release() {
        users.removeIsLast();
    }

    public boolean isUnused() {
        return users.isZero();
    }

    /**
     * Ends one registration, or unmaps the file if none is left. The file must be unused.
     *
     * @return the number of bytes that are not registered any more; 0 if the file has ended
     * @throws IllegalStateException if the driver refuses; the window and the mapping then stay
     */
    long closeNext() {
        if (registrations.isEmpty()) {
            if (mapped != null && !isKept) {
                mapped.close();
            }
            return 0;
        }
        RegisteredMemory last = registrations.removeLast();
        boolean isClosed = false;
        try {
            last.close();
            isClosed = true;
        } finally {
            isKept |= !isClosed;
        }
        return last.byteSize();
    }
}
