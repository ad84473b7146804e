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
 * A file that a device copies from by itself, in windows: each is registered on its own, once
 * enough of it was asked for and all of it is in memory.
 *
 * <p>Owner: {@link FileRegistry}, and whoever retains it. Threads: any; what registers and ends
 * registrations, the device's.
 */
public final class PinnedFile implements CopySource {
    /** Registering one takes 1.3 ms, for which the device's thread does nothing else. */
    public static final long WINDOW_BYTES = 64 << 20;

    /** A file that was changed so lately may change again without its times saying so. */
    private static final long SETTLED_MILLIS = 2000;

    private static final long USED_NANOS = 100_000_000;

    /** So many runs of chunks in vain, one after the other, and the next ones will be. */
    private static final int VAIN_MAX = 16;

    // Instead of how many bytes of a window were asked for:
    private static final long WANTED = -1;
    private static final long REGISTERED = -2;

    private final FileVersion version;
    private final AtomicLongArray asked; // bytes of each window
    private final UseCount users = new UseCount("a registered file");
    private final AtomicInteger inVain = new AtomicInteger();
    private final List<RegisteredMemory> registrations = new ArrayList<>(); // the device's thread's
    private long registeredBytes; // this and the following: the device's thread's
    private boolean isKept; // by the driver
    private MappedFile mapped; // null: nothing was wanted yet. Written once, before WANTED
    private FileChanges.Stamp stamp; // the same
    private volatile long usedNanos = System.nanoTime();

    public PinnedFile(FileVersion version) {
        this.version = version;
        this.asked = new AtomicLongArray((int) Math.ceilDiv(version.byteSize(), WINDOW_BYTES));
    }

    /** {@return one that nobody can use} */
    static PinnedFile ended(FileVersion version) {
        PinnedFile file = new PinnedFile(version);
        file.release();
        return file;
    }

    FileVersion version() {
        return version;
    }

    /** {@return the file; see {@link MappedFile#segment}} */
    @Override
    public MemorySegment segment() {
        return mapped.segment();
    }

    /** {@return where the window ends that a byte lies in, also where the file ends before it} */
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

    /** Somebody wants the device to copy from it: it stays. */
    void noteUse() {
        long now = System.nanoTime();
        if (now - usedNanos > USED_NANOS) { // Not each time: all workers read it.
            usedNanos = now;
        }
    }

    /** {@return the windows of a part that enough was asked for now to register them} */
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

    /** {@return whether a window is to be registered, which the caller has done then} */
    boolean trySetWanted(int window) {
        return asked.getAndUpdate(window, sum -> sum < 0 ? sum : WANTED) >= 0;
    }

    /** What became of an attempt to map a file. */
    enum Mapping {
        /** It is mapped. */
        DONE,
        /** It was changed just now. */
        LATER,
        /** It is not to be mapped, or is another one now. */
        NEVER
    }

    /** Maps the file, if that has not been done. */
    synchronized Mapping map(FileHandle handle, FileChanges changes, MappingRule rule) {
        if (mapped != null) {
            return Mapping.DONE;
        }
        Optional<FileChanges.Stamp> now = changes.stamp(handle).filter(it -> it.isOf(handle));
        if (now.isPresent() && !(rule.isAtOnce() || isSettled(now.get()))) {
            return Mapping.LATER;
        }
        stamp = now.orElse(null); // Before the pages are looked at that belong to it.
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

    /** Registers a window; false if not all of it is in memory. */
    boolean tryRegister(CudaDevice device, int window) throws CudaException {
        long begin = window * WINDOW_BYTES;
        if (!mapped.isInMemory(begin, windowBytes(window))) {
            return false;
        }
        MemorySegment bytes = segment().asSlice(begin, windowBytes(window));
        RegisteredMemory registration = RegisteredMemory.open(device, bytes);
        try {
            registrations.add(registration);
        } catch (OutOfMemoryError e) { // Nobody would end it.
            registration.close();
            throw e;
        }
        registeredBytes += windowBytes(window);
        asked.set(window, REGISTERED);
        return true;
    }

    /** Counts anew what is asked for of a window that was not registered. */
    void forgetAsked(int window) {
        asked.set(window, 0);
    }

    /**
     * {@return whether a file is what it was when it was mapped} Asked after its headers were
     * looked at: an access that failed shows now.
     */
    public boolean isStill(FileHandle handle, FileChanges changes) {
        return changes.stamp(handle).filter(stamp::isSameAs).isPresent();
    }

    /** Notes whether the device was told of a run of chunks; false if that is vain here. */
    public boolean isOfUse(boolean isTold) {
        if (isTold) {
            if (inVain.get() != 0) {
                inVain.set(0);
            }
            return true;
        }
        return inVain.incrementAndGet() < VAIN_MAX;
    }

    long idleNanos() {
        return System.nanoTime() - usedNanos;
    }

    long registeredBytes() {
        return registeredBytes;
    }

    /** Keeps it until a matching {@link #release}; false if it has ended. */
    boolean tryRetain() {
        return users.tryAdd();
    }

    /** The same of one that is retained already. */
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
     * Ends one registration, or unmaps the file if there is none any more. Nobody uses it.
     *
     * @return how many bytes are not registered any more; 0 if it has ended
     * @throws IllegalStateException if the driver refuses: that window, and the mapping, are kept
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
