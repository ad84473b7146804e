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
import io.zarrengine.zarr.store.StoredObject;
import io.zarrengine.zarr.task.Notifier;
import io.zarrengine.zarr.task.ReadRequest;
import io.zarrengine.zarr.task.RequestChunks;
import io.zarrengine.zarr.task.ShardIndexLoader;
import io.zarrengine.zarr.task.WorkSource;
import io.zarrengine.zarr.task.WorkerThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The workers and what they share.
 *
 * <p>Owner: the engine. Threads: any. {@link #close} fails the requests that are under way, waits
 * until the workers have put everything back, and only then returns.
 */
public final class Executor implements HostWorkers, AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** Failures of one thread's workers in a row, before any of them has read something. */
    private static final int FAILURES_MAX = 3;

    private static final int FAIL_ATTEMPTS_MAX = 100;

    /** So many of the longest requests for objects fit into the budget. */
    private static final int LARGE_SHARE = 16;

    /** A closing thread tries again after this time if there was no memory. */
    private static final long CLOSE_RETRY_MILLIS = 1000;

    private final QueueFactory queues;
    private final ReadBackend callerReads; // null if only workers read, and through their queues
    private final ExecutorOptions options;
    private final MemoryBudget budget;
    private final ShardIndexLoader indexes;
    private final DecodedChunks keptChunks;
    private final Metrics metrics = new Metrics();
    private final WorkQueue work = new WorkQueue();
    private final LentReads lentReads;
    private final ActiveRequests active = new ActiveRequests();
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final Queue<Worker> ended = new ConcurrentLinkedQueue<>(); // to be freed at the end
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger threadsLeft;
    private final AtomicInteger idleWorkers = new AtomicInteger();
    private final CallerRunnerPool callers;
    private final Notifier notifier = new Notifier(this::tryWakeAll);
    private final Thread notifierThread =
            Thread.ofPlatform().daemon().name("zarr-engine-notifier").unstarted(notifier);
    private ReadBackend fallback; // null until a queue breaks; guarded by this
    private volatile boolean closed;
    private volatile EngineFailedException failure; // set when no thread is left

    /** Used if there is no memory to create another one. */
    private final EngineFailedException outOfMemory =
            new EngineFailedException(
                    "all workers of the engine broke", new OutOfMemoryError("no memory is left"));

    /**
     * Starts the workers.
     *
     * @param queues of a backend that outlives the executor
     * @param callerReads what calling threads read from, outlives the executor; null if they shall
     *     read nothing themselves
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
            notifierThread.start();
            for (int i = 0; i < options.workers(); i++) {
                Thread thread = new WorkerThread("zarr-engine-worker-" + i, this::serve);
                thread.start();
                threads.add(thread);
            }
        } catch (OutOfMemoryError e) { // So Java calls any thread that the machine refuses.
            close();
            throw new EngineFailedException(options.workers() + " workers cannot be started", e);
        }
    }

    @Override
    public void submit(ReadRequest request) {
        work.addLast(register(request));
        if (failure != null) { // Asked after it was added, for the same reason.
            failAll();
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
            caller.offer(register(request));
        } finally {
            callers.giveBack(caller);
        }
    }

    /**
     * Returns the source of its chunks. If this throws, nothing of the request is left here, unless
     * it has begun.
     */
    private RequestChunks register(ReadRequest request) {
        RequestChunks chunks = new RequestChunks(request);
        Runnable goOn = () -> offer(chunks);
        Runnable onEnd =
                () -> forget(request); // There may be no memory for it behind the next line.
        try {
            active.add(request);
            requireOpen(); // Asked after it was added: a worker that sees no request may be gone.
            request.begin(goOn, onEnd, notifier);
        } catch (RuntimeException | Error e) {
            forget(request); // And a worker that saw it meanwhile, and went to sleep, is woken.
            throw e;
        }
        if (failure != null) { // Before anyone sees it: there is no worker to begin it on.
            request.fail(failure);
        }
        return chunks;
    }

    /**
     * Does nothing if the executor is open.
     *
     * @throws ClosedException if it is closed
     */
    public void requireOpen() {
        if (closed) {
            throw ClosedException.ofEngine();
        }
    }

    private void forget(ReadRequest request) {
        active.remove(request);
        if (closed) {
            wakeAll(); // It may have been the last one that they waited for.
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

    /** Has the workers close the files that no read uses: an array was closed. */
    public void forgetFiles() {
        workers.forEach(Worker::forgetFiles);
        wakeAll();
    }

    /** {@return what has been done} */
    public Metrics metrics() {
        return metrics;
    }

    /** {@return what waits and what is under way} */
    public QueueDepths queueDepths() {
        int inFlight = 0;
        int arrived = 0;
        for (Worker worker : workers) {
            inFlight += worker.round().readsInFlight();
            arrived += worker.round().readsArrived();
        }
        return new QueueDepths(active.count(), inFlight, arrived, budget.bytesReserved());
    }

    /** {@return memory and threads} */
    public ExecutorOptions options() {
        return options;
    }

    /** {@return what reads and chunks share that need more than a worker has from the start} */
    public MemoryBudget budget() {
        return budget;
    }

    /** {@return the longest request for several pieces of an object, in bytes} */
    long fusedObjectBytesMax(FileHandle object) {
        long bytes = ((StoredObject) object).fuseRule().fusedBytesMax();
        return Math.min(bytes, options.largeBytesMax() / LARGE_SHARE);
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

    /** Reads what is in the page cache; false if that is not all, or nobody may do that. */
    boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces) {
        long bytes = pieces.stream().mapToLong(MemorySegment::byteSize).sum();
        boolean isThere =
                callerReads != null && callerReads.readNow(file, fileOffset, pieces) == bytes;
        if (isThere) {
            metrics.readNow(bytes);
        }
        return isThere;
    }

    /** {@return what copies from mapped files, for one thread, with memory of an arena} */
    MappedCopies newMappedCopies(Arena arena) {
        boolean mayMap = callerReads != null;
        return new MappedCopies(
                mayMap ? callerReads.newMappedReader(arena).orElse(null) : null, metrics);
    }

    /**
     * Offers a part of a request to all workers. Never throws. If there is no memory to offer it,
     * it fails and ends.
     */
    void offer(WorkSource source) {
        try {
            work.addFirst(source);
            if (failure != null) {
                failAll();
            }
            wakeAll();
        } catch (RuntimeException | Error e) { // No memory, say.
            source.discard(e);
        }
    }

    /** {@return whether a worker has nothing to do and sleeps} */
    boolean hasIdleWorkers() {
        return idleWorkers.get() > 0;
    }

    /** A worker has nothing to do and goes to sleep. */
    void workerIdles() {
        idleWorkers.incrementAndGet();
    }

    /** Ends what {@link #workerIdles} began. */
    void workerWorks() {
        idleWorkers.decrementAndGet();
    }

    /** {@return whether a worker may end: closed, and nothing under way} */
    boolean mayStop() {
        return closed && active.count() == 0;
    }

    /** Never throws. Workers that cannot be woken for lack of memory are woken later. */
    private void wakeAll() {
        if (!tryWakeAll()) {
            notifier.wakeLater();
        }
    }

    /** Wakes the workers; returns false if there is no memory to wake all of them. */
    private boolean tryWakeAll() {
        boolean areWoken = true;
        try {
            for (Worker worker : workers) {
                areWoken &= tryWake(worker);
            }
        } catch (OutOfMemoryError e) {
            areWoken = false;
        }
        return areWoken;
    }

    private static boolean tryWake(Worker worker) {
        try {
            worker.wake();
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /**
     * The life of one thread. It ends early where workers break at once, again and again, and where
     * not even that can be logged.
     */
    private void serve() {
        try {
            runWorkers();
        } catch (RuntimeException | Error e) {
            threadEnds(e);
        } finally {
            WorkerThread.tellAll();
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
                if (failures == FAILURES_MAX) {
                    throw e;
                }
                LOGGER.log(System.Logger.Level.WARNING, "a worker broke: " + e);
            } finally {
                workers.remove(worker);
                if (worker != null) {
                    ended(worker);
                }
            }
        }
    }

    /**
     * To free shared memory asks every thread of the JVM whether it is there. If all workers did
     * that at once, hundreds of them took seconds; the closing thread does it when they have ended.
     */
    private void ended(Worker worker) {
        if (mayStop()) {
            ended.add(worker);
        } else {
            worker.close();
        }
    }

    /** Returns the pool of preadv that all workers share whose own queues break. */
    private synchronized QueueFactory fallback(IOException cause) {
        if (fallback == null) {
            fallback = ReadBackend.of(ReadBackend.Method.PREADV);
            LOGGER.log(
                    System.Logger.Level.WARNING, "falling back to preadv: " + cause.getMessage());
        }
        return fallback::newQueue;
    }

    /** Notes the end of a thread. Without the last one, all requests fail, also later ones. */
    private void threadEnds(Throwable cause) {
        if (threadsLeft.decrementAndGet() == 0) {
            try {
                failure = new EngineFailedException("all workers of the engine broke", cause);
            } catch (OutOfMemoryError e) {
                failure = outOfMemory;
            }
            failAll();
        }
    }

    /** Tries again if there is no memory: requests that end make room. */
    private void failAll() {
        boolean isDone = false;
        for (int i = 0; i < FAIL_ATTEMPTS_MAX && !isDone; i++) {
            isDone = hasMemoryToFail();
        }
    }

    private boolean hasMemoryToFail() {
        try {
            work.discard(failure);
            for (ReadRequest request : active) {
                request.fail(failure);
            }
            return true;
        } catch (OutOfMemoryError e) {
            failure = outOfMemory;
            return false;
        }
    }

    /**
     * Fails what is under way with {@link ClosedException} and ends the workers.
     *
     * <p>Waits for them also when interrupted: they write to memory that its owner may free next.
     */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                failActive();
                interrupted |= join(thread, CLOSE_RETRY_MILLIS);
            }
        }
        notifier.close();
        while (notifierThread.isAlive()) {
            interrupted |= join(notifierThread, 0);
        }
        for (Worker worker = ended.poll(); worker != null; worker = ended.poll()) {
            worker.close(); // Once, whoever else closes the executor.
        }
        closeFallback();
        callers.close();
        indexes.close();
        keptChunks.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** As far as there is memory for it: it is called again. */
    private void failActive() {
        try {
            for (ReadRequest request : active) {
                request.fail(ClosedException.ofEngine());
            }
        } catch (OutOfMemoryError e) {
            // What has ended meanwhile makes room.
        }
        wakeAll();
    }

    /** {@return whether this thread was interrupted meanwhile} */
    private static boolean join(Thread thread, long millis) {
        try {
            thread.join(millis);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private synchronized void closeFallback() {
        if (fallback != null) {
            fallback.close();
        }
    }
}
