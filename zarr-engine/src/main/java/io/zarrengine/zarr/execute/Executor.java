package io.zarrengine.zarr.execute;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.errors.EngineClosedException;
import io.zarrengine.zarr.shard.ShardIndexCache;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The workers and what they share.
 *
 * <p>Owner: the engine. Threads: any. {@link #close} fails the requests that are under way, waits
 * until the workers have put everything back, and only then returns.
 */
public final class Executor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.zarrengine.zarr");

    private final ReadBackend backend;
    private final ExecutorOptions options;
    private final MemoryBudget budget;
    private final ShardIndexCache<ShardKey> indexes;
    private final Metrics metrics = new Metrics();
    private final WorkQueue work = new WorkQueue();
    private final Set<ReadRequest> active = ConcurrentHashMap.newKeySet();
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /**
     * Starts the workers.
     *
     * @param backend reads; outlives the executor
     * @param options memory and threads
     */
    public Executor(ReadBackend backend, ExecutorOptions options) {
        this.backend = backend;
        this.options = options;
        this.budget = new MemoryBudget(options.largeBytesMax(), this::wakeAll);
        this.indexes = new ShardIndexCache<>(options.indexBytesMax());
        for (int i = 0; i < options.workers(); i++) {
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("zarr-engine-worker-" + i)
                            .start(this::serve));
        }
    }

    /**
     * Starts a request.
     *
     * @param request not submitted before
     * @throws EngineClosedException if the executor is closed
     */
    public void submit(ReadRequest request) {
        active.add(request);
        if (closed) { // Asked after it was added: a worker that sees no request may be gone.
            active.remove(request);
            throw closedException();
        }
        request.begin(() -> forget(request));
        work.addLast(request);
        wakeAll();
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

    /** {@return what has been done} */
    public Metrics metrics() {
        return metrics;
    }

    /** {@return memory and threads} */
    public ExecutorOptions options() {
        return options;
    }

    MemoryBudget budget() {
        return budget;
    }

    ShardIndexCache<ShardKey> indexes() {
        return indexes;
    }

    WorkQueue work() {
        return work;
    }

    /** Offers a part of a request to all workers. */
    void offer(WorkSource source) {
        work.addFirst(source);
        wakeAll();
    }

    /** {@return whether a worker may end: closed, and nothing under way} */
    boolean mayStop() {
        return closed && active.isEmpty();
    }

    private void wakeAll() {
        workers.forEach(Worker::wake);
    }

    private static EngineClosedException closedException() {
        return new EngineClosedException("the engine");
    }

    /** The life of one thread: a worker, and another one if its queue breaks. */
    private void serve() {
        ReadBackend mine = backend;
        while (!mayStop()) {
            try {
                Worker worker = new Worker(this, mine);
                workers.add(worker);
                try {
                    worker.run();
                } finally {
                    workers.remove(worker);
                }
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.WARNING, "falling back to preadv", e);
                mine = ReadBackend.of(ReadBackend.Method.PREADV);
            }
        }
        if (mine != backend) {
            mine.close();
        }
    }

    /**
     * Fails what is under way with {@link EngineClosedException} and ends the workers.
     *
     * <p>Waits for them also when interrupted: they write to memory that its owner may free next.
     */
    @Override
    public void close() {
        closed = true;
        active.forEach(request -> request.fail(closedException()));
        wakeAll();
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
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
