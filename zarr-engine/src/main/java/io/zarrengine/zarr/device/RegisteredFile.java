package io.zarrengine.zarr.device;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.RegisteredMemory;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.MappedFile;
import io.zarrengine.uring.MappingRule;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A file that a device copies from by itself, in windows: each is registered on its own, once
 * enough of it was asked for and all of it is in memory.
 *
 * <p>Owner: {@link RegisteredFiles}, and whoever retains it. Threads: any; what registers and ends
 * registrations, the device's.
 */
final class RegisteredFile {
    /** Registering one takes 1.3 ms, for which the device's thread does nothing else. */
    static final long WINDOW_BYTES = 64 << 20;

    private static final long USED_NANOS = 100_000_000;

    // Instead of how many bytes of a window were asked for:
    private static final long WANTED = -1;
    private static final long REGISTERED = -2;

    private final FileVersion version;
    private final AtomicLongArray asked; // bytes of each window
    private final AtomicInteger users = new AtomicInteger(1);
    private final List<RegisteredMemory> registrations = new ArrayList<>(); // the device's thread's
    private volatile MappedFile mapped; // null: nothing was wanted yet
    private volatile long usedNanos = System.nanoTime();

    RegisteredFile(FileVersion version) {
        this.version = version;
        this.asked = new AtomicLongArray((int) Math.ceilDiv(version.byteSize(), WINDOW_BYTES));
    }

    /** {@return one that nobody can use} */
    static RegisteredFile ended(FileVersion version) {
        RegisteredFile file = new RegisteredFile(version);
        file.release();
        return file;
    }

    FileVersion version() {
        return version;
    }

    /** {@return the file; see {@link MappedFile#segment}} */
    MemorySegment segment() {
        return mapped.segment();
    }

    /** {@return where the window ends that a byte lies in, also where the file ends before it} */
    static long windowEnd(long offset) {
        return (offset / WINDOW_BYTES + 1) * WINDOW_BYTES;
    }

    /** {@return whether a device may copy all of a part} */
    boolean isRegistered(long offset, long bytes) {
        for (long at = offset; at < offset + bytes; at = windowEnd(at)) {
            if (asked.get((int) (at / WINDOW_BYTES)) != REGISTERED) {
                return false;
            }
        }
        if (idleNanos() > USED_NANOS) { // Not each time: all workers read it.
            usedNanos = System.nanoTime();
        }
        return true;
    }

    /** {@return the windows of a part that are to be registered from now on} */
    List<Integer> ask(MappingRule rule, long offset, long bytes) {
        List<Integer> due = new ArrayList<>();
        for (long at = offset; at < offset + bytes; at = windowEnd(at)) {
            int window = (int) (at / WINDOW_BYTES);
            long inside = Math.min(offset + bytes, windowEnd(at)) - at;
            long before = asked.getAndUpdate(window, sum -> sum < 0 ? sum : sum + inside);
            if (before >= 0
                    && rule.isDue(before + inside, windowBytes(window))
                    && asked.getAndUpdate(window, sum -> sum < 0 ? sum : WANTED) >= 0) {
                due.add(window);
            }
        }
        return due;
    }

    /** Maps the file, if that has not been done; false if it cannot be. */
    synchronized boolean tryMap(FileHandle handle) {
        if (mapped == null) {
            mapped = MappedFile.tryOpen(handle).orElse(null);
        }
        return mapped != null;
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
        registrations.add(RegisteredMemory.open(device, bytes));
        asked.set(window, REGISTERED);
        return true;
    }

    /** Counts anew what is asked for of a window that was not registered. */
    void forgetAsked(int window) {
        asked.set(window, 0);
    }

    /** {@return whether it is the file that a handle was opened for, as it was then} */
    boolean isStill(FileHandle handle) {
        return mapped.isStill(handle);
    }

    long idleNanos() {
        return System.nanoTime() - usedNanos;
    }

    /** Keeps it until a matching {@link #release}; false if it has ended. */
    boolean tryRetain() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** The same of one that is retained already. */
    void retain() {
        users.incrementAndGet();
    }

    void release() {
        users.decrementAndGet();
    }

    boolean isUnused() {
        return users.get() == 0;
    }

    /** Ends all registrations; returns how many bytes they were. The device reads none of it. */
    long close() {
        long bytes = 0;
        for (RegisteredMemory registration : registrations) {
            bytes += registration.byteSize();
            registration.close();
        }
        registrations.clear();
        if (mapped != null) {
            mapped.close();
        }
        return bytes;
    }
}
