package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.NativeHandle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Wakes the owner of a ring while it waits in the kernel. A read of an eventfd is always armed in
 * the ring, and ends when another thread writes to the eventfd.
 *
 * <p>Three states, so that there is only one write for one sleep: awake, asleep, and notified.
 *
 * <p>Owner: the ring's. Threads: {@link #wake} any, the rest the owner's. Lent to the kernel: the
 * counter, until the ring is closed.
 */
final class WakeUp implements AutoCloseable {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int NOTIFIED = 2;

    /** The system call. Tests replace it by one that fails for lack of memory. */
    interface WriteCall {
        long write(MemorySegment callState, int descriptor, MemorySegment source);
    }

    private final WriteCall writeCall;
    private final MemorySegment counter; // target of the kernel's read
    private final MemorySegment one; // the written value; guarded by this
    private final MemorySegment callState; // guarded by this
    private final AtomicInteger state = new AtomicInteger(AWAKE);
    private final int descriptor;
    private boolean closed; // guarded by this

    /** Creates the eventfd. The allocator's memory must live longer than the ring. */
    WakeUp(SegmentAllocator allocator) throws ErrnoException {
        this(allocator, LibC::write);
    }

    WakeUp(SegmentAllocator allocator, WriteCall writeCall) throws ErrnoException {
        this.writeCall = writeCall;
        counter = allocator.allocate(JAVA_LONG);
        // Used by any thread until the close, so that wake() allocates no memory.
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

    /** Marks the owner as about to wait; returns false if it was notified meanwhile. */
    boolean fallAsleep() {
        return state.compareAndSet(AWAKE, ASLEEP);
    }

    /** Marks the owner as awake. */
    void awake() {
        // An atomic read too: writes made before wake() are visible after this.
        state.getAndSet(AWAKE);
    }

    /**
     * Wakes the owner. If the call throws, for lack of memory to call the kernel, the next caller
     * tries again.
     */
    void wake() {
        if (state.getAndSet(NOTIFIED) == ASLEEP) {
            boolean rung = false;
            try {
                ring();
                rung = true;
            } finally {
                if (!rung) {
                    state.compareAndSet(NOTIFIED, ASLEEP);
                }
            }
        }
    }

    /**
     * Ends the read of the counter, whether the owner sleeps or not. Does nothing after the close.
     */
    synchronized void ring() {
        if (closed) {
            return;
        }
        // Fails only when 2^64 - 2 wake-ups are unread.
        writeCall.write(callState, descriptor, one);
    }

    /**
     * Closes the eventfd. A later wake-up does nothing, because its descriptor number may be in use
     * again.
     */
    @Override
    public synchronized void close() {
        closed = true;
        LibC.close(descriptor);
    }
}
