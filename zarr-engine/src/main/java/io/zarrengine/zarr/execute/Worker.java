package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.uring.QueueFiles;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadCounters;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.codec.CodecException;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.shard.ShardIndexCache;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * One thread that reads, decodes and places.
 *
 * <p>Its loop has three steps: take work while there is room, submit it and hear what has ended,
 * decode some of that. Work is taken again before all of it is decoded, so that the queue does not
 * run dry meanwhile.
 *
 * <p>Owner: the {@link Executor}. Threads: its own, except {@link #wake}.
 */
final class Worker {
    private static final System.Logger LOGGER = System.getLogger("io.zarrengine.zarr");

    /** What is decoded before the queue is topped up again. */
    private static final int DECODE_BURST = 16;

    /** How long the kernel may take to give memory back when the engine is closed. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);

    private final Executor executor;
    private final ReadMemory memory;
    private final ReadQueue queue;
    private final QueueFiles files;
    private final Workspace workspace;
    private final Placer placer;

    private final StretchRead[] reads; // index == token
    private final ArrayDeque<StretchRead> free = new ArrayDeque<>();
    private final ArrayDeque<StretchRead> arrived = new ArrayDeque<>();
    private StretchRead waiting; // taken, but there is no memory for it yet
    private ReadCounters counted = ReadCounters.NONE;

    /**
     * Created on the worker's own thread: a ring belongs to who made it.
     *
     * @param backend makes the queue
     */
    Worker(Executor executor, ReadBackend backend) throws IOException {
        this.executor = executor;
        ExecutorOptions options = executor.options();
        workspace = new Workspace(options.verifiesChecksums());
        memory = new ReadMemory(options.readMemoryBytes());
        try {
            queue = backend.newQueue(options.readsInFlight(), List.of(memory.memory()));
        } catch (IOException e) {
            memory.close();
            throw e;
        }
        files = new QueueFiles(queue);
        placer = new Placer(workspace, executor.metrics());
        reads = new StretchRead[queue.capacity()];
        Arrays.setAll(reads, StretchRead::new);
        free.addAll(Arrays.asList(reads));
    }

    /** Ends this worker's sleep. Any thread. */
    void wake() {
        queue.wake();
    }

    Placer placer() {
        return placer;
    }

    ShardIndexCache<ShardKey> indexes() {
        return executor.indexes();
    }

    /** {@return the longest stretch of several pieces} */
    long fusedBytesMax() {
        return Math.min(executor.options().fusedBytesMax(), memory.readBytesMax());
    }

    /** Offers work to all workers. */
    void offer(WorkSource source) {
        executor.offer(source);
    }

    /**
     * Works until the executor may stop.
     *
     * @throws IOException if the queue is broken; what it had in flight has failed
     */
    void run() throws IOException {
        try {
            while (!executor.mayStop()) {
                takeWork();
                submitAndHear();
                decodeBurst();
            }
        } catch (IOException e) {
            abandon(e);
            throw e;
        } finally {
            close();
        }
    }

    private void takeWork() {
        if (waiting != null && !begin(waiting)) {
            return;
        }
        waiting = null;
        while (waiting == null && !free.isEmpty() && executor.work().startNext(this)) {
            // startNext calls startRead, which takes from free.
        }
    }

    /** Has a stretch read. Never throws: what goes wrong fails the task's request. */
    void startRead(ReadTask task, int stretch, long fileOffset, long bytes, long workspaceBytes) {
        StretchRead read = free.remove();
        read.set(task, stretch, fileOffset, bytes, workspaceBytes);
        long beyond = read.bytesBeyond(memory, executor.options().workspaceBytes());
        if (beyond > executor.budget().bytesMax()) {
            task.request()
                    .fail(
                            new BudgetExceededException(
                                    task.describe(stretch), beyond, executor.budget().bytesMax()));
            free.add(read);
            task.ended(stretch);
        } else if (!begin(read)) {
            waiting = read;
        }
    }

    /** Queues a read if there is memory for it. */
    private boolean begin(StretchRead read) {
        long workspaceBytesMax = executor.options().workspaceBytes();
        if (!read.takeMemory(memory, executor.budget(), workspaceBytesMax)) {
            return false;
        }
        read.fileNumber = files.use(read.task.file());
        queue.read(
                read.fileNumber,
                read.fileOffset,
                read.memory(),
                read.memoryOffset(),
                read.bytes,
                read.token);
        return true;
    }

    private void submitAndHear() throws IOException {
        if (arrived.isEmpty()) {
            if (queue.inFlight() == 0 && isIdle()) {
                files.forgetUnused();
            }
            queue.await(this::hear, this::isIdle);
        } else {
            queue.poll(this::hear);
        }
        ReadCounters now = queue.counters();
        executor.metrics().queueWorked(counted, now);
        counted = now;
    }

    /** Nothing can be done before a read ends or somebody calls {@link #wake}. */
    private boolean isIdle() {
        boolean mayTake = waiting == null && !free.isEmpty() && !executor.work().isEmpty();
        return !mayTake && !executor.mayStop();
    }

    private void hear(int token, long result) {
        reads[token].result = result;
        arrived.add(reads[token]);
    }

    private void decodeBurst() {
        for (int i = 0; i < DECODE_BURST && !arrived.isEmpty(); i++) {
            StretchRead read = arrived.remove();
            ReadTask task = read.task;
            try {
                if (!task.request().hasFailed()) {
                    checkResult(read);
                    task.arrived(this, read.stretch, read.content());
                }
            } catch (CodecException e) {
                String what = task.describe(read.stretch);
                task.request().fail(new CorruptChunkException(what, e.getMessage(), e));
            } catch (RuntimeException | Error e) { // Typed already, or a target that was closed.
                task.request().fail(e);
                // Closing a shared arena during an access marks the accessing thread as interrupted
                // (JDK 25); the next channel that it opens would be closed.
                Thread.interrupted();
            } finally {
                end(read);
            }
        }
    }

    private static void checkResult(StretchRead read) {
        if (read.result == read.bytes) {
            return;
        }
        String subject =
                read.task.describe(read.stretch)
                        + " at byte "
                        + read.fileOffset
                        + ", "
                        + read.bytes
                        + " bytes";
        if (read.result < 0) {
            ErrnoException cause = new ErrnoException("read", subject, read.result);
            throw new StoreException(subject, Errno.name(-read.result), cause);
        }
        throw new CorruptChunkException(
                subject, "the file ends after " + read.result + " of them", null);
    }

    /** Frees what a read took, and tells its task. */
    private void end(StretchRead read) {
        ReadTask task = read.task;
        int stretch = read.stretch;
        boolean large = read.isLarge();
        files.unuse(task.file());
        read.freeMemory(memory, executor.budget());
        free.add(read);
        if (large) {
            workspace.trim(executor.options().workspaceBytes());
        }
        task.ended(stretch);
    }

    /** The queue is broken: what this worker had begun fails. Its memory is not freed any more. */
    private void abandon(IOException cause) {
        for (StretchRead read : reads) {
            if (read.task != null) {
                ReadTask task = read.task;
                read.task = null;
                task.request().fail(new StoreException("read queue", cause.getMessage(), cause));
                task.ended(read.stretch);
            }
        }
    }

    /**
     * Frees everything. If the kernel does not give our memory back, it is given up for good rather
     * than freed under its hands.
     */
    private void close() {
        workspace.close();
        if (queue.drain(DRAIN_LIMIT)) {
            files.forgetUnused();
            queue.close();
            memory.close();
        } else {
            LOGGER.log(System.Logger.Level.ERROR, "the kernel holds memory that is given up");
        }
    }
}
