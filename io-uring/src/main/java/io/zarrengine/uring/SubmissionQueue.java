package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The producer's side of the submission ring. The owner writes entries and the tail; the kernel
 * reads them and writes the head. The inline helpers of liburing do the same in C.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/io_uring.7.html">io_uring(7), "Submitting I/O
 *     requests"</a>
 */
final class SubmissionQueue {
    private static final VarHandle INT = JAVA_INT.varHandle();

    // struct io_sqring_offsets
    static final int HEAD = 0;
    static final int TAIL = 4;
    static final int RING_ENTRIES = 12;
    static final int FLAGS = 16;
    static final int ARRAY = 24;

    // struct io_uring_sqe. Each store writes 8 bytes: opcode, flags, ioprio and fd; len and
    // rw_flags; buf_index and the members after it.
    static final long ENTRY_BYTES = 64;
    static final long OFF = 8;
    static final long ADDR = 16;
    static final long LEN = 24;
    static final long READ_FLAGS = 28;
    static final long USER_DATA = 32;
    static final long BUF_INDEX = 40;

    private final MemorySegment ring;
    private final MemorySegment entries;
    private final long headOffset;
    private final long tailOffset;
    private final long flagsOffset;
    private final int entryCount; // a power of two

    private int tail; // published by publish()
    private int submitted; // tail of the entries that the kernel has taken

    SubmissionQueue(RingSetup setup, MemorySegment ring, MemorySegment entries) {
        this.ring = ring;
        this.entries = entries;
        this.headOffset = setup.submissionOffset(HEAD);
        this.tailOffset = setup.submissionOffset(TAIL);
        this.flagsOffset = setup.submissionOffset(FLAGS);
        this.entryCount = ring.get(JAVA_INT, setup.submissionOffset(RING_ENTRIES));
        this.tail = (int) INT.getAcquire(ring, tailOffset);
        this.submitted = tail;
        if (setup.hasSubmissionArray()) {
            long array = setup.submissionOffset(ARRAY);
            for (int i = 0; i < entryCount; i++) {
                ring.set(JAVA_INT, array + (long) i * Integer.BYTES, i);
            }
        }
    }

    /** {@return the end of the ring's memory, in bytes} */
    static long end(RingSetup setup) {
        return setup.submissionOffset(ARRAY) + (long) setup.submissionEntries() * Integer.BYTES;
    }

    boolean isFull() {
        return tail - (int) INT.getAcquire(ring, headOffset) == entryCount;
    }

    /** Returns the number of entries that are written but not yet taken by the kernel. */
    int pending() {
        return tail - submitted;
    }

    /**
     * Writes one entry that reads. {@link #isFull} must be false. Members without an argument here
     * stay zero.
     *
     * @param opcode {@code IORING_OP_READ} or {@code IORING_OP_READ_FIXED}
     * @param flags {@code IOSQE_*}
     */
    void addRead(
            int opcode,
            int flags,
            int descriptor,
            long fileOffset,
            long address,
            int bytes,
            long userData) {
        assert !isFull() : "the submission ring is full";
        long at = (long) (tail & (entryCount - 1)) * ENTRY_BYTES;
        entries.set(
                JAVA_LONG, at, (opcode & 0xffL) | (flags & 0xffL) << 8 | (long) descriptor << 32);
        entries.set(JAVA_LONG, at + OFF, fileOffset);
        entries.set(JAVA_LONG, at + ADDR, address);
        entries.set(JAVA_LONG, at + LEN, Integer.toUnsignedLong(bytes)); // and rw_flags: none
        entries.set(JAVA_LONG, at + USER_DATA, userData);
        entries.set(JAVA_LONG, at + BUF_INDEX, 0L);
        tail++;
    }

    /** Sets the registered buffer of the entry added last. */
    void setBuffer(int index) {
        long at = (long) ((tail - 1) & (entryCount - 1)) * ENTRY_BYTES;
        entries.set(JAVA_LONG, at + BUF_INDEX, (long) index);
    }

    /** Sets the {@code RWF_*} of the entry added last. */
    void setReadFlags(int flags) {
        long at = (long) ((tail - 1) & (entryCount - 1)) * ENTRY_BYTES;
        entries.set(JAVA_INT, at + READ_FLAGS, flags);
    }

    /** Publishes all added entries to the kernel. */
    void publish() {
        INT.setRelease(ring, tailOffset, tail);
    }

    /** Notes that the kernel took {@code count} entries. */
    void taken(int count) {
        submitted += count;
    }

    /** Returns the {@code IORING_SQ_*} flags that the kernel has set. */
    int flags() {
        return (int) INT.getAcquire(ring, flagsOffset);
    }
}
