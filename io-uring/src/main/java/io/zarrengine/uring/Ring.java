package io.zarrengine.uring;

import io.zarrengine.bindings.ErrnoException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The operations of an io_uring that a queue needs. {@code KernelRing} implements it in production,
 * {@code SimulatedRing} in tests, where completions arrive late, out of order, short or failed.
 *
 * <p>Owner: one thread. Only {@link #wake} may be called from another one.
 */
interface Ring extends AutoCloseable {
    /** {@return the largest number of reads that may be prepared and not yet reaped} */
    int entries();

    /** {@return the number of files that may be attached} */
    int filesMax();

    /** Sets the file of a number; null removes it. */
    void setFile(int fileNumber, FileHandle file);

    /** Registers memory that many reads go to, as far as possible. It must outlive the ring. */
    void register(MemorySegment memory);

    /**
     * Queues a read. Its memory is lent to the kernel until its completion is reaped.
     *
     * @param slot comes back in its completion
     * @param flags {@code RWF_*}
     */
    void prepareRead(
            int slot,
            int fileNumber,
            long fileOffset,
            MemorySegment memory,
            long memoryOffset,
            int bytes,
            int flags);

    /**
     * Queues a read into several pieces.
     *
     * @param pieces all pieces of the read
     * @param skippedBytes bytes at the start of the pieces that were read before
     * @see #prepareRead
     */
    void prepareScattered(
            int slot,
            int fileNumber,
            long fileOffset,
            List<MemorySegment> pieces,
            long skippedBytes,
            int flags);

    /**
     * Submits everything queued. If {@code wait}, waits for a completion or for {@link #wake}, but
     * may return earlier without one.
     *
     * @throws ErrnoException if the kernel took nothing and will take nothing any more
     */
    void enter(boolean wait) throws ErrnoException;

    /**
     * Takes up to {@code slots.length} completions.
     *
     * @param slots receives the slots of the ended reads
     * @param results receives their results: bytes, or -errno
     * @return the number of completions
     */
    int reap(int[] slots, int[] results);

    /** Ends a waiting {@link #enter}, or the next one. May be called by any thread. */
    void wake();

    /** {@return the system calls made by {@link #enter} so far} */
    long enters();

    /** Frees the ring. All reads must have been reaped. */
    @Override
    void close();
}
