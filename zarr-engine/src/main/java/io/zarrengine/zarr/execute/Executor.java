package io.zarrengine.zarr.execute;

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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The workers and what they share.
 *
 * <p>Owner: the engine. Threads: any. {@link #close} fails the requests that are under way, and
 * returns when the workers have freed their memory and files.
 */
public final class Executor implements HostWorkers, AutoCloseable {
    /** Attempts to fail all requests; each attempt that lacks memory lets requests end. */
    private static final int FAIL_ATTEMPTS_MAX = 100;

    /** Longest reads of objects that the budget holds at once. */
    private static final int LARGE_SHARE = 16;

    private final ReadBackend callerReads; // null if only the workers' queues may read
    private final ExecutorOptions options;
    private final MemoryBudget budget;
    private final ShardIndexLoader indexes;
    private final DecodedChunks keptChunks;
    private final Metrics metrics = new Metrics();
    private final WorkQueue work = new WorkQueue();
    private final LentReads lentReads;
    private final ActiveRequests active = new ActiveRequests();
    private final WorkerThreads threads;
    private final AtomicInteger idleWorkers = new AtomicInteger();
    private final CallerRunnerPool callers;
    private final Notifier notifier = new Notifier(this::wakesAll);
    private final Thread notifierThread =
            Thread.ofPlatform().daemon().name("zarr-engine-notifier").unstarted(notifier);
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
        this.callerReads = callerReads;
        this.options = options;
        this.budget = new MemoryBudget(options.largeBytesMax(), this::wakeAll);
        this.lentReads = new LentReads(options.workers(), this::wakeAll);
        this.indexes = new ShardIndexLoader(options.indexBytesMax(), this::offer);
        this.keptChunks = new DecodedChunks(options.keptChunkBytesMax());
        this.threads = new WorkerThreads(this, queues, options.workers());
        this.callers =
                new CallerRunnerPool(
                        this, callerReads, options.callersMax(CallerRunner.BUDGET_BYTES));
        try {
            notifierThread.start();
            threads.start();
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
        return threads.mayAccess(segment);
    }

    /** Has the workers close the files that no read uses, because an array was closed. */
    public void forgetFiles() {
        threads.forgetFiles();
        wakeAll();
    }

    /** {@return counters of all work so far} */
    public Metrics metrics() {
        return metrics;
    }

    /** {@return how many requests and reads are under way, and how much memory is reserved} */
    public QueueDepths queueDepths() {
        return new QueueDepths(
                active.count(),
                threads.sum(WorkerRound::readsInFlight),
                threads.sum(WorkerRound::readsArrived),
                budget.bytesReserved());
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
        if (!threads.tryWakeAll()) {
            notifier.wakeLater();
        }
    }

    /** For the notifier, which is made before the threads. */
    private boolean wakesAll() {
        return threads.tryWakeAll();
    }

    /** Fails all requests, also later ones, because the last thread of the workers broke. */
    void allThreadsBroke(Throwable cause) {
        try {
            failure = new EngineFailedException("all workers of the engine broke", cause);
        } catch (OutOfMemoryError e) {
            failure = outOfMemory;
        }
        failAll();
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
        boolean interrupted = threads.join(this::failActive);
        notifier.close();
        while (notifierThread.isAlive()) {
            interrupted |= WorkerThreads.join(notifierThread, 0);
        }
        threads.close();
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
}
