package io.zarrengine.uring;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Reads of byte ranges, many in flight at once.
 *
 * <p>Owner: the thread that created it. Only {@link #wake} may be called from another thread. Lent
 * to the kernel: the memory of each read, from {@link #read} until the listener hears of it; the
 * owner keeps it alive that long, and does not free it before {@link #drain} said yes.
 *
 * <p>A read is retried inside the queue when it is interrupted or short, so a result below the
 * asked length means the end of the file.
 */
public interface ReadQueue extends AutoCloseable {
    /**
     * Places that one read may go to: more cost a system call nothing, but memory for each read.
     */
    int PIECES_MAX = 16;

    /** {@return the largest number of reads in flight} */
    int capacity();

    /** {@return reads queued or under way, whose end the listener has not heard of} */
    int inFlight();

    /**
     * Makes a file known to this queue. The queue retains it until {@link #detach}.
     *
     * @param file an open file of this queue's backend
     * @return its number in this queue
     * @throws IllegalStateException if more files are attached than fit
     */
    int attach(FileHandle file);

    /**
     * Ends what {@link #attach} began.
     *
     * @param fileNumber from {@link #attach}; no read of it may be in flight
     */
    void detach(int fileNumber);

    /** {@return how many files may be attached at once} */
    int attachedMax();

    /**
     * Tells of memory that many reads go to from now on, beside that with which the queue was made:
     * its pages are pinned once, and not for every read. Cheap if it was told before.
     *
     * <p>Where that cannot be (RLIMIT_MEMLOCK), and in queues without a ring, reads go there as to
     * any other memory.
     *
     * @param memory native memory that is not freed before the queue is closed
     * @see <a href="https://man7.org/linux/man-pages/man7/io_uring_registered_buffers.7.html">
     *     io_uring_registered_buffers(7)</a>
     */
    default void register(MemorySegment memory) {}

    /**
     * Queues a read. Nothing is submitted before {@link #poll} or {@link #await}.
     *
     * @param fileNumber from {@link #attach}
     * @param fileOffset where to read from, in bytes
     * @param memory native memory
     * @param memoryOffset where the bytes go, in bytes from the start of {@code memory}
     * @param bytes how many, {@code > 0}
     * @param token comes back with the result
     * @throws IllegalStateException if {@link #capacity} reads are in flight
     */
    void read(
            int fileNumber,
            long fileOffset,
            MemorySegment memory,
            long memoryOffset,
            long bytes,
            int token);

    /**
     * Queues a read of one run of a file into several places, one after the other: ranges that lie
     * side by side in the file, and not in memory, without a copy.
     *
     * @param fileNumber from {@link #attach}
     * @param fileOffset where to read from, in bytes
     * @param pieces native memory, 1 to {@link #PIECES_MAX}, none of them empty; their lengths add
     *     up to what is read, at most 1 GiB
     * @param token comes back with the result
     * @throws IllegalStateException if {@link #capacity} reads are in flight
     * @throws UnsupportedOperationException if this queue cannot; those of a {@link ReadBackend}
     *     can
     */
    default void readScattered(
            int fileNumber, long fileOffset, List<MemorySegment> pieces, int token) {
        throw new UnsupportedOperationException("scattered reads");
    }

    /**
     * Submits what is queued and reports what has ended, without waiting.
     *
     * @param listener hears of each read that ended
     * @return how many it heard of
     * @throws IOException if the queue is broken; no read makes progress any more
     */
    int poll(ReadListener listener) throws IOException;

    /**
     * Submits what is queued and waits until a read ends or {@link #wake} is called.
     *
     * @param listener hears of each read that ended
     * @param nothingToDo asked once more before sleeping: a thread that gives work and then calls
     *     {@link #wake} is never missed; if false, this is {@link #poll}
     * @return how many it heard of; 0 after a wake-up
     * @throws IOException if the queue is broken; no read makes progress any more
     */
    int await(ReadListener listener, BooleanSupplier nothingToDo) throws IOException;

    /**
     * Ends the owner's {@link #await}, or the next one. Any thread; cheap if the owner is awake.
     */
    void wake();

    /**
     * Waits until no read is in flight, without reporting what ended.
     *
     * @param limit how long to wait at most
     * @return whether the kernel has given back all memory; if not, it must never be freed
     */
    boolean drain(Duration limit);

    /** {@return what this queue has done so far; the owner's thread only} */
    ReadCounters counters();

    /**
     * Frees the queue.
     *
     * @throws IllegalStateException if reads are in flight: drain first
     */
    @Override
    void close();
}
