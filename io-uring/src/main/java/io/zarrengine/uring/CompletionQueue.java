package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The consumer's side of the completion ring. The kernel writes entries and the tail; the owner
 * reads them and writes the head.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/io_uring.7.html">io_uring(7), "Reading
 *     completions"</a>
 */
final class CompletionQueue {
    private static final VarHandle INT = JAVA_INT.varHandle();

    // struct io_cqring_offsets
    static final int HEAD = 0;
    static final int TAIL = 4;
    static final int RING_MASK = 8;
    static final int CQES = 20;

    // struct io_uring_cqe
    static final long ENTRY_BYTES = 16;
    static final long RES = 8;

    private final MemorySegment ring;
    private final long headOffset;
    private final long tailOffset;
    private final long entriesOffset;
    private final int mask;

    private int head; // published by advance()

    CompletionQueue(RingSetup setup, MemorySegment ring) {
        this.ring = ring;
        this.headOffset = setup.completionOffset(HEAD);
        this.tailOffset = setup.completionOffset(TAIL);
        this.entriesOffset = setup.completionOffset(CQES);
        this.mask = ring.get(JAVA_INT, setup.completionOffset(RING_MASK));
        this.head = (int) INT.getAcquire(ring, headOffset);
    }

    /** {@return the end of the ring's memory, in bytes} */
    static long end(RingSetup setup) {
        return setup.completionOffset(CQES) + setup.completionEntries() * ENTRY_BYTES;
    }

    /** Returns the number of completions that are ready. */
    int ready() {
        return (int) INT.getAcquire(ring, tailOffset) - head;
    }

    /** Returns the user data of the {@code i}-th ready completion. */
    long userData(int i) {
        return ring.get(JAVA_LONG, entry(i));
    }

    /** Returns the result of the {@code i}-th ready completion: bytes, or -errno. */
    int result(int i) {
        return ring.get(JAVA_INT, entry(i) + RES);
    }

    /** Gives the first {@code count} ready completions back to the kernel. */
    void advance(int count) {
        head += count;
        INT.setRelease(ring, headOffset, head);
    }

    private long entry(int i) {
        return entriesOffset + ((head + i) & mask) * ENTRY_BYTES;
    }
}
