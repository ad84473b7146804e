package io.zarrengine.uring.ranges;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.QueueFiles;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.uring.plan.ReadPlan;
import io.zarrengine.uring.reading.ReadMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A thread that reads. It takes reads while there is room, submits them and collects the ended
 * ones. It copies some of those to their targets, and takes more reads before all are copied.
 *
 * <p>The kernel writes only to memory of the worker. So a target may be any memory, and if its
 * owner closes it too early the result is an exception and no damage. Owner: a {@link RangeReader}.
 * Threads: its own, except {@link #wake}.
 */
final class RangeWorker {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.uring");

    /** Reads copied before the queue is filled again. */
    private static final int COPY_BURST = 16;

    /**
     * Most files opened between two submissions, so that queued reads do not wait for many opens.
     */
    private static final int OPENS_BURST = 32;

    /**
     * Most bytes in flight while every read ends at once, from the page cache. With more, the bytes
     * would have left the L2 cache before they are copied.
     */
    private static final long HOT_BYTES_MAX = 1 << 20;

    /** Fewest reads that, if all end at once, count as coming from the page cache. */
    private static final int HOT_READS_MIN = 8;

    /** Longest time to wait for the kernel to give memory back. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);

    private final RangeReader reader;
    private final int number;
    private final ReadMemory pages;
    private final ReadQueue queue;
    private final QueueFiles queueFiles;

    private final ReadListener listener = this::readEnded; // created once, not for each wait
    private final BooleanSupplier idle = this::isIdle;

    // Reads in flight, by token.
    private final BatchRun[] runs; // null: not in use
    private final int[] reads;
    private final FileHandle[] files;
    private final long[] offsets; // in the file
    private final long[] lengths;
    private final long[] pageOffsets;
    private final long[] results;
    private final int[] free; // a stack
    private int freeCount;
    private final int[] arrived; // a ring of tokens
    private int arrivedBegin;
    private int arrivedCount;

    // The packet whose reads are being queued.
    private BatchRun run; // null: none
    private int nextRead;
    private int packetEnd;
    private int lastFileNumber;
    private FileHandle lastFile; // the packet's last file, retained; null: none
    private boolean memoryIsFull; // no memory for the next read
    private boolean pageCacheHot;
    private Throwable death; // the failure that ended this worker; null: the reader ended it

    /**
     * Creates a worker. Must run on the worker's own thread, because that thread then owns the
     * ring.
     */
    RangeWorker(RangeReader reader, int number, QueueFactory newQueue) throws IOException {
        this.reader = reader;
        this.number = number;
        int capacity = reader.options().readsInFlight();
        runs = new BatchRun[capacity];
        reads = new int[capacity];
        files = new FileHandle[capacity];
        offsets = new long[capacity];
        lengths = new long[capacity];
        pageOffsets = new long[capacity];
        results = new long[capacity];
        arrived = new int[capacity];
        free = new int[capacity];
        for (int token = capacity - 1; token >= 0; token--) {
            free[freeCount++] = token;
        }
        // Allocated last, so that an earlier failure leaves nothing to free.
        pages = new ReadMemory(reader.options().bufferBytes(), FileHandle.ALIGNMENT_MAX);
        try {
            queue = newQueue.newQueue(capacity, List.of(pages.segment()));
        } catch (IOException | RuntimeException | Error e) {
            pages.close();
            throw e;
        }
        queueFiles = new QueueFiles(queue, queue.attachedMax());
    }

    /** Creates a queue. Tests replace it by one that makes broken queues. */
    interface QueueFactory {
        ReadQueue newQueue(int capacity, List<java.lang.foreign.MemorySegment> memory)
                throws IOException;
    }

    /** Ends this worker's sleep. May be called by any thread. */
    void wake() {
        queue.wake();
    }

    /**
     * Works until the reader may stop.
     *
     * @throws IOException if the queue is broken; its reads in flight have failed
     */
    void run() throws IOException {
        try {
            while (!reader.mayStop()) {
                takeReads();
                submitAndReap();
                copyBurst();
            }
        } catch (IOException | RuntimeException | Error e) {
            death = e;
            throw e;
        } finally {
            close();
        }
    }

    private void takeReads() {
        int opens = 0;
        memoryIsFull = false;
        while (freeCount > 0 && opens < OPENS_BURST && nextPacket()) {
            if (run.hasFailed()) {
                run.ended(packetEnd - nextRead, 0);
                endPacket();
                continue;
            }
            int fileNumber = run.batch().plan().file(nextRead);
            if (lastFile == null || lastFileNumber != fileNumber) {
                opens++;
                if (!open(fileNumber)) {
                    continue;
                }
            }
            memoryIsFull = !begin();
            if (memoryIsFull) {
                return;
            }
            if (++nextRead == packetEnd) {
                endPacket();
            }
        }
    }

    /** Finds the next packet if there is none; returns whether there is a read to begin. */
    private boolean nextPacket() {
        while (run == null) {
            BatchRun first = reader.firstRun();
            if (first == null) {
                return false;
            }
            int taken = first.take(number);
            if (taken < 0) {
                reader.allTaken(first);
            } else {
                run = first;
                nextRead = taken;
                packetEnd = first.packetEnd(taken);
            }
        }
        return true;
    }

    private void endPacket() {
        run = null;
        forgetLastFile();
    }

    private void forgetLastFile() {
        if (lastFile != null) {
            lastFile.release();
            lastFile = null;
        }
    }

    /** Opens the file of the next read. Returns false if this fails; the batch has failed then. */
    private boolean open(int fileNumber) {
        forgetLastFile();
        Path path = run.batch().file(fileNumber);
        try {
            lastFile = reader.files().open(path);
            lastFileNumber = fileNumber;
            return true;
        } catch (IOException | RuntimeException e) {
            ReadPlan plan = run.batch().plan();
            run.fail(
                    new RangeReadException(
                            path, plan.offset(nextRead), plan.bytes(nextRead), e.toString(), e));
            return false;
        }
    }

    /** Queues the next read; returns false if there is no memory for it now. */
    private boolean begin() {
        ReadPlan plan = run.batch().plan();
        int alignment = lastFile.alignment();
        // The plan's alignment is for any file; this one may need less.
        int part = plan.firstPart(nextRead);
        long offset = plan.partOffset(part);
        long end = offset;
        for (; part < plan.endPart(nextRead); part++) {
            end = Math.max(end, plan.partOffset(part) + plan.partBytes(part));
        }
        offset &= -alignment;
        long bytes = ((end + alignment - 1) & -alignment) - offset;
        if (pageCacheHot && pages.usedBytes() > 0 && pages.usedBytes() + bytes > HOT_BYTES_MAX) {
            return false;
        }
        long pageOffset = pages.take(bytes);
        if (pageOffset < 0) {
            return false;
        }
        int token = free[--freeCount];
        runs[token] = run;
        reads[token] = nextRead;
        files[token] = lastFile;
        offsets[token] = offset;
        lengths[token] = bytes;
        pageOffsets[token] = pageOffset;
        int file = queueFiles.use(lastFile);
        queue.read(file, offset, pages.segment(), pageOffset, bytes, token);
        return true;
    }

    private void submitAndReap() throws IOException {
        if (arrivedCount == 0) {
            if (queue.inFlight() == 0 && isIdle()) {
                queueFiles.forgetUnused(); // Files are closed while there is nothing to read.
            }
            int before = queue.inFlight();
            int ended = queue.await(listener, idle);
            pageCacheHot = ended == before && (pageCacheHot || before >= HOT_READS_MIN);
        } else {
            queue.poll(listener);
        }
    }

    /**
     * Returns whether there is nothing to do before a read ends or another thread calls {@link
     * #wake}.
     */
    private boolean isIdle() {
        boolean mayTake =
                freeCount > 0 && !memoryIsFull && (run != null || reader.firstRun() != null);
        return !mayTake && !reader.mayStop();
    }

    private void readEnded(int token, long result) {
        results[token] = result;
        arrived[(arrivedBegin + arrivedCount++) % arrived.length] = token;
    }

    private void copyBurst() {
        for (int i = 0; i < COPY_BURST && arrivedCount > 0; i++) {
            int token = arrived[arrivedBegin];
            arrivedBegin = (arrivedBegin + 1) % arrived.length;
            arrivedCount--;
            finish(token);
        }
    }

    private void finish(int token) {
        BatchRun mine = runs[token];
        try {
            if (!mine.hasFailed()) {
                place(mine, token);
            }
        } catch (IOException e) {
            mine.fail(e);
        } catch (RuntimeException e) {
            // The caller's target failed, for example because it is closed.
            mine.fail(e);
            // Closing a shared arena during an access marks the accessing thread as interrupted
            // (JDK 25). The next channel that the thread opens would be closed.
            Thread.interrupted();
        }
        queueFiles.unuse(files[token]);
        pages.free(pageOffsets[token], lengths[token]);
        runs[token] = null;
        files[token] = null;
        free[freeCount++] = token;
        mine.ended(1, Math.max(results[token], 0));
    }

    private void place(BatchRun mine, int token) throws IOException {
        long result = results[token];
        int read = reads[token];
        Path path = files[token].path();
        if (result < 0) {
            String subject = path.toString();
            throw new RangeReadException(
                    path,
                    offsets[token],
                    lengths[token],
                    Errno.name(-result),
                    new ErrnoException("read", subject, result));
        }
        ReadPlan plan = mine.batch().plan();
        for (int part = plan.firstPart(read); part < plan.endPart(read); part++) {
            if (plan.partOffset(part) + plan.partBytes(part) > offsets[token] + result) {
                long end = offsets[token] + result;
                throw new RangeReadException(
                        path,
                        plan.partOffset(part),
                        plan.partBytes(part),
                        "the file ends at byte " + end,
                        null);
            }
        }
        mine.batch().place(read, pages.segment(), pageOffsets[token], offsets[token]);
    }

    /**
     * Frees everything, and fails the reads that this worker has not ended. If the kernel does not
     * give our memory back, the memory is leaked on purpose, because the kernel may still write to
     * it. The batches end only after that is known.
     */
    private void close() {
        boolean drained = isDrained();
        for (int token = 0; token < runs.length; token++) {
            if (runs[token] != null) {
                queueFiles.unuse(files[token]);
                abandon(runs[token], 1);
            }
        }
        if (run != null) {
            abandon(run, packetEnd - nextRead);
            endPacket();
        }
        if (drained) {
            queueFiles.forgetUnused();
            queue.close();
            pages.close();
        } else {
            LOGGER.log(System.Logger.Level.ERROR, "the kernel holds memory that is given up");
        }
    }

    private void abandon(BatchRun begun, int reads) {
        begun.fail(new IOException("the thread that read this has ended", death));
        begun.ended(reads, 0);
    }

    private boolean isDrained() {
        try {
            return queue.drain(DRAIN_LIMIT);
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a queue broke while it was drained", e);
            return false;
        }
    }
}
