package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativeHandle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Wakes the owner of a ring who waits in the kernel: a read of an eventfd, always armed in the
 * ring, ends when somebody writes to it.
 *
 * <p>Three states, so that only one write is made for one sleep: awake, asleep, and told to wake.
 *
 * <p>Owner: the ring's. Threads: {@link #wake} any, the rest the owner's. Lent to the kernel: the
 * counter, until the ring is closed.
 */
final class WakeUp implements AutoCloseable {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int TOLD = 2;

    /** The system call; tests put one in its place that there is no memory for. */
    interface WriteCall {
        long write(MemorySegment callState, int descriptor, MemorySegment source);
    }

    private final WriteCall writeCall;
    private final MemorySegment counter; // where the kernel reads to
    private final MemorySegment one; // what is written; guarded by this
    private final MemorySegment callState; // guarded by this
    private final AtomicInteger state = new AtomicInteger(AWAKE);
    private final int descriptor;
    private boolean closed; // guarded by this

    /** {@code allocator}: of memory that ends after the ring. */
    WakeUp(SegmentAllocator allocator) throws ErrnoException {
        this(allocator, LibC::write);
    }

    WakeUp(SegmentAllocator allocator, WriteCall writeCall) throws ErrnoException {
        this.writeCall = writeCall;
        counter = allocator.allocate(JAVA_LONG);
        // Any thread's, until it is closed: to wake takes no memory of ours.
        one = NativeHandle.withoutOwner(allocator.allocateFrom(JAVA_LONG, 1L));
        callState = NativeHandle.withoutOwner(LibC.newCallState(allocator));
        descriptor = LibC.eventfd(callState, LibC.EFD_CLOEXEC);
        if (descriptor < 0) {
            throw new ErrnoException("eventfd", "wake-up of a ring", descriptor);
        }
    }

    int descriptor() {
        return descriptor;
    }

    MemorySegment counter() {
        return counter;
    }

    /** Says that the owner is about to wait; false if it was told to wake meanwhile. */
    boolean fallAsleep() {
        return state.compareAndSet(AWAKE, ASLEEP);
    }

    /** Says that the owner is awake again. */
    void awake() {
        state.getAndSet(AWAKE); // Also reads: what was given before wake() is seen after this.
    }

    /** If it throws, for lack of memory to call the kernel, whoever comes next tries again. */
    void wake() {
        if (state.getAndSet(TOLD) == ASLEEP) {
            boolean rung = false;
            try {
                ring();
                rung = true;
            } finally {
                if (!rung) {
                    state.compareAndSet(TOLD, ASLEEP);
                }
            }
        }
    }

    /** Ends the read of the counter, whether the owner sleeps or not; nothing after the close. */
    synchronized void ring() {
        if (closed) {
            return;
        }
        writeCall.write(callState, descriptor, one); // Fails when 2^64 - 2 wake-ups are unread.
    }

    /** A wake-up that comes later does nothing: it must not write to a descriptor used again. */
    @Override
    public synchronized void close() {
        closed = true;
        LibC.close(descriptor);
    }
}
