package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.liburing.io_cqring_offsets;
import io.zarrengine.bindings.liburing.io_uring_cqe;
import io.zarrengine.bindings.liburing.io_uring_params;
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
    private static final long ENTRY_BYTES = io_uring_cqe.layout().byteSize();
    private static final long RESULT_OFFSET = io_uring_cqe.res$offset();

    private final MemorySegment ring;
    private final long headOffset;
    private final long tailOffset;
    private final long entriesOffset;
    private final int mask;

    private int head; // published by advance()

    CompletionQueue(RingSetup setup, MemorySegment ring) {
        MemorySegment offsets = io_uring_params.cq_off(setup.params());
        this.ring = ring;
        this.headOffset = io_cqring_offsets.head(offsets);
        this.tailOffset = io_cqring_offsets.tail(offsets);
        this.entriesOffset = io_cqring_offsets.cqes(offsets);
        this.mask = ring.get(JAVA_INT, io_cqring_offsets.ring_mask(offsets));
        this.head = (int) INT.getAcquire(ring, headOffset);
    }

    static long entryBytes() {
        return ENTRY_BYTES;
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
        return ring.get(JAVA_INT, entry(i) + RESULT_OFFSET);
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
