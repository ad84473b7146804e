package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.decode.DecodedChunks;
import io.zarrengine.zarr.device.HostWorkers;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.EngineFailedException;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.metrics.QueueDepths;
import io.zarrengine.zarr.task.ReadRequest;
import io.zarrengine.zarr.task.RequestChunks;
import io.zarrengine.zarr.task.RequestOwner;
import io.zarrengine.zarr.task.ShardIndexLoader;
import io.zarrengine.zarr.task.WorkSource;
import io.zarrengine.zarr.task.WorkerThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The workers and what they share.
 *
 * <p>If Java's heap is full, or no worker is left, the executor fails as a whole: it refuses new
 * requests, the workers end, and then the {@link FailureThread} ends the requests that are under
 * way.
 *
 * <p>Owner: the engine. Threads: any. {@link #close} fails the requests that are under way, waits
 * until the workers have put everything back, and only then returns.
 */
public final class Executor implements HostWorkers, RequestOwner, AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** Failures of one thread's workers in a row, before any of them has read something. */
    private static final int FAILURES_MAX = 3;

    /** Requests of a failed executor that end at once: 100 KiB of threads. */
    private static final int ENDS_TOGETHER = 256;

    /** The time after which workers that have to end are woken again. */
    private static final long WAKE_AGAIN_MILLIS = 10;

    private final QueueFactory queues;
    private final ReadBackend callerReads; // null if only workers read, through their queues
    private final ExecutorOptions options;
    private final MemoryBudget budget;
    private final ShardIndexLoader indexes;
    private final DecodedChunks keptChunks;
    private final Metrics metrics = new Metrics();
    private final WorkQueue work = new WorkQueue();
    private final LentReads lentReads;
    private final Set<ReadRequest> active = ConcurrentHashMap.newKeySet(); // until they are told
    private final AtomicInteger underWay =
            new AtomicInteger(); // requests whose parts have not ended
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final List<WorkerThread> threads = new ArrayList<>();
    private final AtomicInteger threadsLeft;
    private final AtomicInteger idleWorkers = new AtomicInteger();
    private final CallerRunnerPool callers;
    private final FailureThread failureThread = new FailureThread(this::tryEndAll);
    private ReadBackend fallback; // null until a queue breaks; guarded by this
    private volatile boolean closed;

    /**
     * Starts the workers.
     *
     * @param queues of a backend that outlives the executor
     * @param callerReads calling threads read from it; outlives the executor; null if they must not
     *     read
     * @param options memory and threads
     * @throws EngineFailedException if there cannot be so many threads
     */
    public Executor(QueueFactory queues, ReadBackend callerReads, ExecutorOptions options) {
        this.queues = queues;
        this.callerReads = callerReads;
        this.options = options;
        this.budget = new MemoryBudget(options.largeBytesMax(), this::wakeAll);
        this.lentReads = new LentReads(options.workers(), this::wakeAll);
        this.indexes = new ShardIndexLoader(options.indexBytesMax(), this::offer);
        this.keptChunks = new DecodedChunks(options.keptChunkBytesMax());
        this.threadsLeft = new AtomicInteger(options.workers());
        this.callers =
                new CallerRunnerPool(
                        this, callerReads, options.callersMax(CallerRunner.BUDGET_BYTES));
        try {
            failureThread.start();
            for (int i = 0; i < options.workers(); i++) {
                WorkerThread thread = new WorkerThread("zarr-engine-worker-" + i, this::serve);
                thread.start();
                threads.add(thread);
            }
        } catch (OutOfMemoryError e) { // Java throws it if the machine refuses a thread.
            close();
            throw new EngineFailedException(options.workers() + " workers cannot be started", e);
        }
    }

    @Override
    public void submit(ReadRequest request) {
        try {
            register(request);
            work.addLast(new RequestChunks(request));
        } catch (OutOfMemoryError e) {
            failWithHeap(request, e);
        }
        wakeAll();
    }

    @Override
    public void submitAndHelp(ReadRequest request, long bytes) {
        CallerRunner caller = bytes > CallerRunner.RESULT_BYTES_MAX ? null : callers.tryBorrow();
        if (caller == null) {
            submit(request);
            return;
        }
        try {
            help(caller, request);
        } catch (OutOfMemoryError e) {
            failWithHeap(request, e);
        }
    }

    private void help(CallerRunner caller, ReadRequest request) {
        try {
            register(request);
            caller.offer(new RequestChunks(request));
        } finally {
            callers.giveBack(caller);
        }
    }

    /** A request that has begun ends with the engine; the caller learns of it as of any failure. */
    private void failWithHeap(ReadRequest request, OutOfMemoryError cause) {
        heapIsFull();
        if (!request.hasBegun()) {
            throw cause;
        }
    }

    /** Begins a request; if this throws, it has not begun. */
    private void register(ReadRequest request) {
        underWay.incrementAndGet();
        try {
            active.add(request);
            requireOpen(); // After it was added: a worker that sees no request may have ended.
            if (failure() != null) {
                throw failure();
            }
        } catch (RuntimeException | Error e) {
            partsEnded(request); // Also wakes a worker that has seen it, and went to sleep.
            ended(request);
            throw e;
        }
        request.begin(this);
        if (failure() != null) { // The thread may have looked before the request had begun.
            failureThread.look();
        }
    }

    @Override
    public void goOn(ReadRequest request) {
        offer(new RequestChunks(request));
    }

    @Override
    public void partsEnded(ReadRequest request) {
        underWay.decrementAndGet();
        if (closed) {
            wakeAll(); // The workers may have waited for this one last.
        }
    }

    @Override
    public void ended(ReadRequest request) {
        active.remove(request);
    }

    @Override
    public void heapIsFull() {
        failureThread.fail(failureThread.heapIsFull());
    }

    /** {@return what the executor has failed with as a whole; null if it works} */
    EngineFailedException failure() {
        return failureThread.failure();
    }

    /**
     * Checks that the executor is open.
     *
     * @throws ClosedException if it is closed
     */
    public void requireOpen() {
        if (closed) {
            throw ClosedException.ofEngine();
        }
    }

    /**
     * {@return whether the workers may access a segment: it belongs to no confined arena}
     *
     * @param segment any segment
     */
    public boolean isReachable(MemorySegment segment) {
        return segment.isAccessibleBy(threads.getFirst());
    }

    /** Makes the workers close files that no read uses, because an array was closed. */
    public void forgetFiles() {
        workers.forEach(Worker::forgetFiles);
        wakeAll();
    }

    /** {@return counts of what the executor has done} */
    public Metrics metrics() {
        return metrics;
    }

    /** {@return how many requests and reads are under way} */
    public QueueDepths queueDepths() {
        int inFlight = 0;
        int arrived = 0;
        for (Worker worker : workers) {
            inFlight += worker.round().readsInFlight();
            arrived += worker.round().readsArrived();
        }
        return new QueueDepths(underWay.get(), inFlight, arrived, budget.bytesReserved());
    }

    /** {@return memory and threads} */
    public ExecutorOptions options() {
        return options;
    }

    /** {@return the memory for reads and chunks that need more than a worker has} */
    public MemoryBudget budget() {
        return budget;
    }

    ShardIndexLoader indexes() {
        return indexes;
    }

    CallerRunnerPool callers() {
        return callers;
    }

    DecodedChunks keptChunks() {
        return keptChunks;
    }

    LentReads lentReads() {
        return lentReads;
    }

    WorkQueue work() {
        return work;
    }

    /** Reads bytes that are in the page cache; false if some are not, or callers must not read. */
    boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces) {
        long bytes = pieces.stream().mapToLong(MemorySegment::byteSize).sum();
        boolean isThere =
                callerReads != null && callerReads.readNow(file, fileOffset, pieces) == bytes;
        if (isThere) {
            metrics.readNow(bytes);
        }
        return isThere;
    }

    /** {@return copies from mapped files for one thread, with memory of an arena} */
    MappedCopies newMappedCopies(Arena arena) {
        boolean mayMap = callerReads != null;
        return new MappedCopies(
                mayMap ? callerReads.newMappedReader(arena).orElse(null) : null, metrics);
    }

    /** Offers a part of a request to all workers. */
    void offer(WorkSource source) {
        work.addFirst(source);
        wakeAll();
    }

    /** {@return whether a worker has nothing to do and sleeps} */
    boolean hasIdleWorkers() {
        return idleWorkers.get() > 0;
    }

    /** Notes that a worker has nothing to do and goes to sleep. */
    void workerIdles() {
        idleWorkers.incrementAndGet();
    }

    /** Ends what {@link #workerIdles} began. */
    void workerWorks() {
        idleWorkers.decrementAndGet();
    }

    /** {@return whether a worker must end} */
    boolean mayStop() {
        return failure() != null || (closed && underWay.get() == 0);
    }

    /** Wakes all workers. If that fails, so does the engine, and its last thread wakes them. */
    private void wakeAll() {
        try {
            workers.forEach(Worker::wake);
        } catch (OutOfMemoryError e) {
            heapIsFull();
        }
    }

    /** Runs a thread. It ends early if its workers break at once, again and again. */
    private void serve() {
        try {
            try {
                runWorkers();
            } finally {
                WorkerThread.runAll();
            }
        } catch (RuntimeException | Error e) {
            threadBroke(e);
        }
    }

    /** Runs a worker, and another one if it breaks. */
    private void runWorkers() {
        IOException queueFailure = null;
        int failures = 0;
        while (!mayStop()) {
            Worker worker = null;
            try {
                worker = new Worker(this, queueFailure == null ? queues : fallback(queueFailure));
                workers.add(worker);
                worker.run();
            } catch (IOException e) {
                queueFailure = e;
            } catch (RuntimeException | Error e) {
                failures = worker != null && worker.hasRead() ? 1 : failures + 1;
                if (failures == FAILURES_MAX || RequestOwner.isFullHeap(e)) {
                    throw e;
                }
                LOGGER.log(System.Logger.Level.WARNING, "a worker broke: " + e);
            } finally {
                if (worker != null && !mayStop()) { // Else close frees it.
                    workers.remove(worker);
                    worker.close();
                }
            }
        }
    }

    /** Fails as a whole if that was the last thread: without one no request ends by itself. */
    private void threadBroke(Throwable cause) {
        boolean isLast = threadsLeft.decrementAndGet() == 0;
        if (RequestOwner.isFullHeap(cause)) {
            heapIsFull();
        } else if (isLast) {
            EngineFailedException failure = failureThread.heapIsFull();
            try {
                failure = new EngineFailedException("all workers of the engine broke", cause);
            } finally {
                failureThread.fail(failure);
            }
        }
    }

    /** {@return what the requests of a worker that broke fail with} */
    EngineFailedException describe(Throwable cause) {
        if (RequestOwner.isFullHeap(cause)) {
            heapIsFull();
            return failure();
        }
        return new EngineFailedException("a worker broke", cause);
    }

    /** {@return the pool of preadv that replaces the queues of workers that broke} */
    private synchronized QueueFactory fallback(IOException cause) {
        if (fallback == null) {
            fallback = ReadBackend.of(ReadBackend.Method.PREADV);
            LOGGER.log(
                    System.Logger.Level.WARNING, "falling back to preadv: " + cause.getMessage());
        }
        return fallback::newQueue;
    }

    /**
     * Ends requests of a failed executor, when no thread works on them any more. What hangs on them
     * runs on threads of its own, so only some requests end at a time, and make room for others.
     *
     * @return false if some are left: call this again, a little later
     */
    private boolean tryEndAll() {
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                wakeAll();
                join(thread, WAKE_AGAIN_MILLIS);
            }
        }
        callers.awaitAll();
        work.discard(failure());
        threads.forEach(WorkerThread::runRest);
        int left = ENDS_TOGETHER;
        for (ReadRequest request : active) {
            if (left == 0) {
                return false;
            }
            request.endAs(failure());
            left--;
        }
        return true;
    }

    /**
     * Fails the requests that are under way with {@link ClosedException}, and ends the workers.
     *
     * <p>Waits for the workers also if the calling thread is interrupted, because they write to
     * memory that its owner may free next.
     */
    @Override
    public void close() {
        closed = true;
        try {
            for (ReadRequest request : active) {
                request.fail(ClosedException.ofEngine());
            }
        } catch (OutOfMemoryError e) {
            heapIsFull();
        }
        wakeAll();
        threads.forEach(Executor::join);
        failureThread.close();
        freeWorkers();
        closeFallback();
        callers.close();
        indexes.close();
        keptChunks.close();
    }

    /** Waits until a thread has ended, also if the calling thread is interrupted. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            interrupted |= join(thread, 0);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return whether the calling thread was interrupted meanwhile} */
    private static boolean join(Thread thread, long millis) {
        try {
            thread.join(millis);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /**
     * Frees the workers of threads that have ended. To free shared memory asks every thread of the
     * JVM whether it is there. When hundreds of workers did that at once, it took seconds.
     */
    private synchronized void freeWorkers() {
        workers.forEach(Worker::close);
        workers.clear();
    }

    private synchronized void closeFallback() {
        if (fallback != null) {
            fallback.close();
        }
    }
}
