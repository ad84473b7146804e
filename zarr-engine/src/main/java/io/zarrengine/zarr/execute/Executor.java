package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.reading.Notifier;
import io.zarrengine.zarr.decode.DecodedChunks;
import io.zarrengine.zarr.device.HostWorkers;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.EngineFailedException;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.metrics.QueueDepths;
import io.zarrengine.zarr.store.StoredObject;
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
 * <p>Owner: the engine. Threads: any. {@link #close} fails the requests that are under way, and
 * returns when the workers have freed their memory and files.
 */
public final class Executor implements HostWorkers, AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** Workers of one thread in a row that may break before they read anything; then it ends. */
    private static final int FAILURES_MAX = 3;

    /** Attempts to fail all requests; each attempt that lacks memory lets requests end. */
    private static final int FAIL_ATTEMPTS_MAX = 100;

    /** Longest reads of objects that the budget holds at once. */
    private static final int LARGE_SHARE = 16;

    /** After this time a closing thread again fails requests that it had no memory to fail. */
    private static final long CLOSE_RETRY_MILLIS = 1000;

    private final QueueFactory queues;
    private final ReadBackend callerReads; // null if only the workers' queues may read
    private final ExecutorOptions options;
    private final MemoryBudget budget;
    private final ShardIndexLoader indexes;
    private final DecodedChunks keptChunks;
    private final Metrics metrics = new Metrics();
    private final WorkQueue work = new WorkQueue();
    private final LentReads lentReads;
    private final ActiveRequests active = new ActiveRequests();
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final Queue<Worker> ended = new ConcurrentLinkedQueue<>(); // close() frees their memory
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger threadsLeft;
    private final AtomicInteger idleWorkers = new AtomicInteger();
    private final CallerRunnerPool callers;
    private final Notifier notifier = new Notifier(this::tryWakeAll);
    private final Thread notifierThread =
            Thread.ofPlatform().daemon().name("zarr-engine-notifier").unstarted(notifier);
    private ReadBackend fallback; // null until a queue breaks; guarded by this
    private volatile boolean closed;
    private volatile EngineFailedException failure; // null while a worker thread is left

    /** The failure if there is no memory to create an exception. */
    private final EngineFailedException outOfMemory =
            new EngineFailedException(
                    "all workers of the engine broke", new OutOfMemoryError("no memory is left"));

    /**
     * Starts the workers.
     *
     * @param queues makes the workers' queues; outlives the executor
     * @param callerReads reads the page cache for calling threads and workers, and outlives the
     *     executor; null if only the workers' queues may read
     * @param options memory and threads
     * @throws EngineFailedException if the machine refuses a thread
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
        } catch (OutOfMemoryError e) { // Java throws this if the machine refuses a thread.
            close();
            throw new EngineFailedException(options.workers() + " workers cannot be started", e);
        }
    }

    @Override
    public void submit(ReadRequest request) {
        work.addLast(register(request));
        if (failure != null) { // Looks after addLast(), as register() does.
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
     * Makes a request active and returns the source of its chunks. If this throws, the request is
     * not active any more.
     */
    private RequestChunks register(ReadRequest request) {
        RequestChunks chunks = new RequestChunks(request);
        Runnable goOn = () -> offer(chunks);
        Runnable onEnd = () -> forget(request); // Made here: after add() there may be no memory.
        try {
            active.add(request);
            requireOpen(); // Looks after add(): workers end if no request is active.
            request.begin(goOn, onEnd, notifier);
        } catch (RuntimeException | Error e) {
            forget(request); // Also wakes a worker that saw the request and sleeps.
            throw e;
        }
        if (failure != null) { // No worker is left to begin it.
            request.fail(failure);
        }
        return chunks;
    }

    /**
     * Checks that the executor is open.
     *
     * @throws ClosedException if the executor is closed
     */
    public void requireOpen() {
        if (closed) {
            throw ClosedException.ofEngine();
        }
    }

    private void forget(ReadRequest request) {
        active.remove(request);
        if (closed) {
            wakeAll(); // Workers may end after the last request.
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

    /** Has the workers close the files that no read uses, because an array was closed. */
    public void forgetFiles() {
        workers.forEach(Worker::forgetFiles);
        wakeAll();
    }

    /** {@return counters of all work so far} */
    public Metrics metrics() {
        return metrics;
    }

    /** {@return how many requests and reads are under way, and how much memory is reserved} */
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

    /** {@return the memory that large reads and chunks share} */
    public MemoryBudget budget() {
        return budget;
    }

    /** {@return the longest stretch of several pieces of an object, in bytes} */
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

    /**
     * Reads from the page cache; returns false if some bytes are not there, or if only queues may
     * read.
     */
    boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces) {
        long bytes = pieces.stream().mapToLong(MemorySegment::byteSize).sum();
        boolean isThere =
                callerReads != null && callerReads.readNow(file, fileOffset, pieces) == bytes;
        if (isThere) {
            metrics.readNow(bytes);
        }
        return isThere;
    }

    /** {@return a copier from mapped files for one thread, whose memory the arena frees} */
    MappedCopies newMappedCopies(Arena arena) {
        boolean mayMap = callerReads != null;
        return new MappedCopies(
                mayMap ? callerReads.newMappedReader(arena).orElse(null) : null, metrics);
    }

    /**
     * Offers a part of a request to all workers. Never throws: without memory to offer the part,
     * the part fails and ends.
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

    /** Notes that a worker has nothing to do and goes to sleep. */
    void workerIdles() {
        idleWorkers.incrementAndGet();
    }

    /** Notes that a worker that slept works again. */
    void workerWorks() {
        idleWorkers.decrementAndGet();
    }

    /** {@return whether workers may end: the executor is closed and no request is active} */
    boolean mayStop() {
        return closed && active.count() == 0;
    }

    /** Wakes the workers. Never throws: without memory, the notifier wakes them later. */
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
     * Runs the workers of one thread. The thread ends early if its workers break at their start
     * again and again, or if there is no memory to log that.
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

    /** Runs a worker, and a new one whenever a worker breaks. */
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
     * Frees a worker, or leaves that to the closing thread. To free shared memory, the JVM asks
     * every thread whether it uses the memory: hundreds of workers that did this at once took
     * seconds.
     */
    private void ended(Worker worker) {
        if (mayStop()) {
            ended.add(worker);
        } else {
            worker.close();
        }
    }

    /** Returns the pool of preadv. All workers whose own queues broke share it. */
    private synchronized QueueFactory fallback(IOException cause) {
        if (fallback == null) {
            fallback = ReadBackend.of(ReadBackend.Method.PREADV);
            LOGGER.log(
                    System.Logger.Level.WARNING, "falling back to preadv: " + cause.getMessage());
        }
        return fallback::newQueue;
    }

    /** Notes that a thread broke. After the last thread, all requests fail, also later ones. */
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

    /** Fails all requests. Tries again if there is no memory: requests that end free some. */
    private void failAll() {
        boolean isDone = false;
        for (int i = 0; i < FAIL_ATTEMPTS_MAX && !isDone; i++) {
            isDone = hasMemoryToFail();
        }
    }

    /** Fails all requests; returns false if there was no memory for that. */
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
     * Fails the active requests with {@link ClosedException} and ends the workers.
     *
     * <p>An interrupt does not end the wait for the workers: they write to targets, which callers
     * may free after this call.
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
            worker.close(); // Once, also if several threads close the executor.
        }
        closeFallback();
        callers.close();
        indexes.close();
        keptChunks.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Fails the active requests that there is memory for; close() calls this again. */
    private void failActive() {
        try {
            for (ReadRequest request : active) {
                request.fail(ClosedException.ofEngine());
            }
        } catch (OutOfMemoryError e) {
            // Requests that end free memory for the next call.
        }
        wakeAll();
    }

    /** {@return whether this thread was interrupted while it waited} */
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
