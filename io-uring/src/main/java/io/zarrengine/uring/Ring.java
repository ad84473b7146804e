package io.zarrengine.uring;

import io.zarrengine.bindings.ErrnoException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The part of an io_uring that a queue needs. The kernel implements it in production and {@code
 * SimulatedRing} in tests, where completions arrive late, out of order, short or failed.
 *
 * <p>Owner: one thread. Only {@link #wake} may be called from another one.
 */
interface Ring extends AutoCloseable {
    /** {@return the largest number of reads that may be prepared and not yet reaped} */
    int entries();

    /** {@return the number of files that may be attached} */
    int filesMax();

    /** Makes {@code file} known as {@code fileNumber}; null takes it away. */
    void setFile(int fileNumber, FileHandle file);

    /** Registers memory that many reads go to, as far as it can. It outlives the ring. */
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
     * Queues a read into several places.
     *
     * @param pieces what the read was queued with
     * @param skippedBytes of the pieces, which hold what was read before
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
     * Submits everything queued; waits for a completion, or for {@link #wake}, if {@code wait}. It
     * may return earlier: then nothing is there to reap.
     *
     * @throws ErrnoException if the kernel took nothing, and will take nothing any more
     */
    void enter(boolean wait) throws ErrnoException;

    /**
     * Takes up to {@code slots.length} completions.
     *
     * @param slots receives which reads ended
     * @param results receives bytes, or -errno
     * @return how many
     */
    int reap(int[] slots, int[] results);

    /** Ends a waiting {@link #enter}, or the next one. Any thread. */
    void wake();

    /** {@return system calls made by {@link #enter} so far} */
    long enters();

    /** Frees the ring. All reads must have been reaped. */
    @Override
    void close();
}
