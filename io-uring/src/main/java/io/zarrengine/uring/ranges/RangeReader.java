package io.zarrengine.uring.ranges;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.files.FileCache;
import io.zarrengine.uring.plan.FuseRule;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads ranges of files: a million ranges of many files in one call, or one range that is in the
 * page cache in little more than the time of its copy.
 *
 * <p>A batch is planned on the calling thread (ranges are sorted, neighbours fused, long ranges
 * cut) and read by the reader's own threads, each with its own ring and many reads in flight.
 * Without io_uring a pool of threads reads, with the same results. Bytes are read into memory of
 * the reader and then copied, so a target may be of any kind, and a target that its owner closes
 * too early fails its batch and does no other harm.
 *
 * <p>Owner: its opener. Threads: any, virtual ones too. With {@link RangeReaderOptions#batchesMax}
 * batches in progress, a further call waits until one has ended.
 *
 * <p>A failed range fails its batch, with a {@link RangeReadException} for the first one; other
 * batches go on. A future completes when no thread writes to the target any more, also if the read
 * failed, was cancelled, or the caller completed the future.
 */
public final class RangeReader implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.uring");

    /** Reads for which waking one more thread pays. */
    private static final int READS_PER_WAKE = 32;

    /** Workers that one thread may lose before it gives up, because the fault is permanent. */
    private static final int DEATHS_MAX = 3;

    private final ReadBackend backend;
    private final RangeReaderOptions options;
    private final RangeWorker.QueueFactory newQueue;
    private final FileCache files;
    private final InlineReads inline = new InlineReads();
    private final Semaphore batches;
    private final AtomicInteger active = new AtomicInteger();
    private final Deque<BatchRun> withReads = new ConcurrentLinkedDeque<>();
    private final Deque<BatchRun> running = new ConcurrentLinkedDeque<>();
    private final List<RangeWorker> workers = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    // Rotates the worker that is woken first.
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicInteger threadsAlive = new AtomicInteger();
    private volatile boolean closed;

    private RangeReader(
            ReadBackend backend, RangeReaderOptions options, RangeWorker.QueueFactory newQueue) {
        this.backend = backend;
        this.options = options;
        this.newQueue = newQueue;
        files =
                new FileCache(
                        backend, options.caching(), options.filesMax(), options.recheckAfter());
        batches = new Semaphore(options.batchesMax());
        threadsAlive.set(options.threads());
        for (int i = 0; i < options.threads(); i++) {
            int number = i;
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("range-reader-" + i)
                            .start(() -> serve(number)));
        }
    }

    /**
     * {@return a reader with the best way to read that works on this machine, and default options}
     */
    public static RangeReader open() {
        return open(ReadBackend.best(), RangeReaderOptions.defaults());
    }

    /**
     * {@return a reader}
     *
     * @param backend the way to read; the reader closes it
     * @param options limits of the reader
     */
    public static RangeReader open(ReadBackend backend, RangeReaderOptions options) {
        return new RangeReader(backend, options, backend::newQueue);
    }

    /** Opens a reader with the queues of a test. */
    static RangeReader open(
            ReadBackend backend, RangeReaderOptions options, RangeWorker.QueueFactory newQueue) {
        return new RangeReader(backend, options, newQueue);
    }

    /**
     * Reads a batch.
     *
     * @param batch must not be changed until the future completes
     * @return completes with the statistics; exceptionally with a {@link RangeReadException}, with
     *     the exception of the target, or with a {@link CancellationException}
     * @throws IllegalStateException if the reader is closed, or the batch is being read already
     * @throws IllegalArgumentException if other threads cannot access the target
     */
    public CompletableFuture<BatchReport> readAsync(ReadBatch batch) {
        if (!batch.target().isAccessibleBy(threads.getFirst())) {
            throw new IllegalArgumentException("the target belongs to one thread");
        }
        batch.begin(ruleFor(batch));
        batches.acquireUninterruptibly();
        active.incrementAndGet();
        if (closed || threadsAlive.get() == 0) { // Checked after active was incremented.
            leave();
            batch.end();
            throw new IllegalStateException("the reader is closed");
        }
        BatchRun[] self = new BatchRun[1];
        BatchRun run = new BatchRun(batch, options.threads(), () -> ended(self[0]));
        self[0] = run;
        running.add(run);
        int reads = batch.plan().readCount();
        if (reads > 0) {
            withReads.add(run);
            wake(Math.ceilDiv(reads, READS_PER_WAKE));
        } else {
            run.endEmpty();
        }
        if (threadsAlive.get() == 0) {
            failAll(new IOException("all threads of the reader have ended"));
        }
        return run.future();
    }

    /** Returns the rule for a batch. Few direct reads cost their latency, so their gap is wider. */
    private FuseRule ruleFor(ReadBatch batch) {
        FuseRule rule = options.rule();
        boolean few = batch.size() < 4 * options.threads();
        boolean widens =
                few
                        && options.caching() == Caching.DIRECT
                        && options.fuse().isEmpty()
                        && rule.gapBytes() < FuseRule.LATENCY_GAP_BYTES;
        return widens ? rule.withGap(FuseRule.LATENCY_GAP_BYTES) : rule;
    }

    /**
     * Reads a batch and waits for it. A virtual thread parks. An interrupt does not end the wait,
     * because the target is in use.
     *
     * @param batch must not be changed meanwhile
     * @return the statistics
     * @throws IOException if a range cannot be read
     */
    public BatchReport read(ReadBatch batch) throws IOException {
        return join(readAsync(batch));
    }

    /**
     * Reads one range. If the range is in the page cache, the calling thread reads it at once and
     * the future is complete, so no other thread is woken.
     *
     * @param path a regular file
     * @param offset offset of the range, in bytes
     * @param target receives {@code target.byteSize()} bytes
     * @return completes like the future of a batch
     */
    public CompletableFuture<BatchReport> readAsync(Path path, long offset, MemorySegment target) {
        long bytes = target.byteSize();
        if (target.isNative() && inline.isWorthATry(bytes) && readNow(path, offset, target)) {
            return CompletableFuture.completedFuture(new BatchReport(1, 1, bytes, bytes));
        }
        ReadBatch batch = new ReadBatch(target);
        int file = batch.addFile(path);
        if (bytes > 0) {
            batch.add(file, offset, bytes, 0);
        }
        return readAsync(batch);
    }

    /**
     * Reads one range and waits for it.
     *
     * @param path a regular file
     * @param offset offset of the range, in bytes
     * @param target receives {@code target.byteSize()} bytes
     * @throws IOException if the range cannot be read
     */
    public void read(Path path, long offset, MemorySegment target) throws IOException {
        join(readAsync(path, offset, target));
    }

    private boolean readNow(Path path, long offset, MemorySegment target) {
        if (closed || offset < 0) {
            return false;
        }
        try {
            FileHandle file = files.open(path);
            try {
                boolean whole = backend.readNow(file, offset, target) == target.byteSize();
                if (whole) {
                    inline.hit();
                } else {
                    inline.missed();
                }
                return whole;
            } finally {
                file.release();
            }
        } catch (IOException | IllegalStateException e) {
            return false; // A worker gets the same failure and reports it.
        }
    }

    private static BatchReport join(CompletableFuture<BatchReport> future) throws IOException {
        try {
            return future.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw e;
            }
        }
    }

    RangeReaderOptions options() {
        return options;
    }

    FileCache files() {
        return files;
    }

    /** {@return the oldest batch with reads that no worker has taken, or null} */
    BatchRun firstRun() {
        return withReads.peekFirst();
    }

    void allTaken(BatchRun run) {
        withReads.remove(run);
    }

    boolean mayStop() {
        return closed && active.get() == 0;
    }

    private void ended(BatchRun run) {
        running.remove(run);
        leave();
    }

    /** Ends one use of active. Wakes the workers, because one may have seen the higher count. */
    private void leave() {
        batches.release();
        if (active.decrementAndGet() == 0 && closed) {
            wake(Integer.MAX_VALUE); // They may stop now.
        }
    }

    private void wake(int most) {
        Object[] all = workers.toArray();
        int first = wakes.getAndIncrement();
        for (int i = 0; i < Math.min(most, all.length); i++) {
            ((RangeWorker) all[Math.floorMod(first + i, all.length)]).wake();
        }
    }

    /** Runs one thread. */
    private void serve(int number) {
        try {
            runWorkers(number);
        } finally {
            if (threadsAlive.decrementAndGet() == 0) {
                failAll(new IOException("all threads of the reader have ended"));
            }
        }
    }

    /** Runs a worker, and another one if its queue breaks. */
    private void runWorkers(int number) {
        RangeWorker.QueueFactory mine = newQueue;
        ReadBackend fallback = null;
        for (int deaths = 0; deaths < DEATHS_MAX && !mayStop(); deaths++) {
            try {
                RangeWorker worker = new RangeWorker(this, number, mine);
                workers.add(worker);
                try {
                    worker.run();
                } finally {
                    workers.remove(worker);
                }
            } catch (IOException | RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.WARNING, "a worker ended; another one begins", e);
                if (fallback == null && backend.method() == ReadBackend.Method.IO_URING) {
                    fallback = ReadBackend.of(ReadBackend.Method.PREADV); // Reads the same files.
                    mine = fallback::newQueue;
                }
            }
        }
        if (fallback != null) {
            fallback.close();
        }
    }

    private void failAll(IOException cause) {
        for (BatchRun run : running) {
            run.fail(cause);
            run.leaveOutTheRest();
        }
    }

    /**
     * Fails the batches in progress with {@link CancellationException}, waits until no thread
     * writes to their targets any more, and frees everything. An interrupt does not end the wait.
     */
    @Override
    public void close() {
        closed = true;
        running.forEach(run -> run.fail(new CancellationException("the reader was closed")));
        wake(Integer.MAX_VALUE);
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        files.close();
        backend.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
