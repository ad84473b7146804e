package io.zarrengine.uring;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A queue of reads of byte ranges, many in flight at once.
 *
 * <p>Owner: the thread that created it. Only {@link #wake} may be called from another thread. Lent
 * to the kernel: the memory of each read, from {@link #read} until the listener gets its end. The
 * owner keeps the memory alive that long, and frees it only after {@link #drain} has returned true.
 *
 * <p>The queue retries a read that is interrupted or short, so a result below the requested length
 * means the end of the file.
 */
public interface ReadQueue extends AutoCloseable {
    /**
     * Most pieces of one read. More would cost the system call nothing, but memory for each read.
     */
    int PIECES_MAX = 16;

    /** {@return the largest number of reads in flight} */
    int capacity();

    /** {@return the number of reads queued or in flight, whose end was not reported} */
    int inFlight();

    /**
     * Attaches a file to this queue. The queue retains it until {@link #detach}.
     *
     * @param file an open file of this queue's backend
     * @return its number in this queue
     * @throws IllegalStateException if more files are attached than fit
     */
    int attach(FileHandle file);

    /**
     * Ends {@link #attach}.
     *
     * @param fileNumber from {@link #attach}; no read of the file may be in flight
     */
    void detach(int fileNumber);

    /** {@return the most files that may be attached at once} */
    int attachedMax();

    /**
     * Registers memory that many reads will go to, besides the memory given when the queue was
     * created. Its pages are pinned once, and not for every read. Cheap if the memory is registered
     * already.
     *
     * <p>Where this is not possible (RLIMIT_MEMLOCK), and in queues without a ring, reads go there
     * as to any other memory.
     *
     * @param memory native memory that is not freed before the queue is closed
     * @see <a href="https://man7.org/linux/man-pages/man7/io_uring_registered_buffers.7.html">
     *     io_uring_registered_buffers(7)</a>
     */
    default void register(MemorySegment memory) {}

    /**
     * Queues a read. It is submitted by the next {@link #poll} or {@link #await}.
     *
     * @param fileNumber from {@link #attach}
     * @param fileOffset file offset of the first byte
     * @param memory native memory
     * @param memoryOffset offset of the target in {@code memory}, in bytes
     * @param bytes number of bytes, {@code > 0}
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
     * Queues a read of one run of a file into several pieces, one after the other. It reads ranges
     * that are adjacent in the file, but not in memory, without a copy.
     *
     * @param fileNumber from {@link #attach}
     * @param fileOffset file offset of the first byte
     * @param pieces native memory, 1 to {@link #PIECES_MAX}, none of them empty; their total length
     *     is read, at most 1 GiB
     * @param token comes back with the result
     * @throws IllegalStateException if {@link #capacity} reads are in flight
     * @throws UnsupportedOperationException if this queue cannot do it; queues of a {@link
     *     ReadBackend} can
     */
    default void readScattered(
            int fileNumber, long fileOffset, List<MemorySegment> pieces, int token) {
        throw new UnsupportedOperationException("scattered reads");
    }

    /**
     * Submits the queued reads and reports the ended ones, without waiting.
     *
     * @param listener receives the end of each read
     * @return the number of reads reported
     * @throws IOException if the queue is broken; no read makes progress any more
     */
    int poll(ReadListener listener) throws IOException;

    /**
     * Submits the queued reads and waits until a read ends or {@link #wake} is called.
     *
     * @param listener receives the end of each read
     * @param nothingToDo called once more before sleeping, so that a thread that adds work and then
     *     calls {@link #wake} is never missed; if it returns false, this acts as {@link #poll}
     * @return the number of reads reported; 0 after a wake-up
     * @throws IOException if the queue is broken; no read makes progress any more
     */
    int await(ReadListener listener, BooleanSupplier nothingToDo) throws IOException;

    /**
     * Ends the owner's {@link #await}, or the next one. May be called by any thread; cheap if the
     * owner is awake.
     */
    void wake();

    /**
     * Waits until no read is in flight, without reporting the ended reads.
     *
     * @param limit the longest time to wait
     * @return whether the kernel has given back all memory; if not, the memory must never be freed
     */
    boolean drain(Duration limit);

    /** {@return the work done so far; for the owner's thread only} */
    ReadCounters counters();

    /**
     * Frees the queue.
     *
     * @throws IllegalStateException if reads are in flight; drain first
     */
    @Override
    void close();
}
