package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileParts;
import io.zarrengine.uring.MappedReader.PartCopier;
import io.zarrengine.uring.ReadCounters;
import io.zarrengine.uring.reading.ReadMemory;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.decode.Placer;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.EngineFailedException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.memory.MemoryAccount;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.shard.ShardIndex;
import io.zarrengine.zarr.task.IndexWaiter;
import io.zarrengine.zarr.task.ReadTask;
import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import io.zarrengine.zarr.task.WorkerThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * One thread that reads, decodes and places.
 *
 * <p>Its loop has three steps: take work while there is room, submit it and hear what has ended,
 * decode some of that. Work is taken again before all of it is decoded, so that the queue does not
 * run dry meanwhile; and before any of it is, where it lies in lent memory.
 *
 * <p>Owner: the {@link Executor}. Threads: its own, except {@link #wake} and {@link #close}.
 */
final class Worker implements TaskRunner, AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** What is decoded before the queue is topped up again. */
    private static final int DECODE_BURST = 16;

    /** To decode so much takes longer than callers should wait to be told of other reads. */
    private static final long LONG_DECODE_BYTES = 256 << 10;

    /** How long the kernel may take to give memory back when the engine is closed. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);

    /** Small enough not to waste much on a small read, large enough to need few of them. */
    private static final int SLOT_BYTES = 32 << 10;

    private final Executor executor;
    private final Arena arena = Arena.ofConfined();
    private final ReadMemory memory;
    private final WorkerReads queue;
    private final Workspace workspace;
    private final Placer placer;
    private final MappedCopies mapped;
    private final WorkerRound round;

    private final StretchRead[] reads; // index == token
    private final ArrayDeque<StretchRead> free = new ArrayDeque<>();
    private final ArrayDeque<StretchRead> arrived;
    private final WorkQueue own = new WorkQueue(); // begun here, and not shared
    private StretchRead waiting; // taken, but there is no memory for it yet
    private volatile boolean forgetsFiles;
    private boolean isMemoryOurs; // again: the kernel has given all of it back
    private final ReadWindow window; // of what is read to its own memory
    private final LentReads.Window lent;
    private boolean hasLentArrived; // since work was last taken
    private ReadCounters counted = ReadCounters.NONE;

    /**
     * Created on the worker's own thread: a ring belongs to who made it.
     *
     * @param queues makes the queue
     */
    Worker(Executor executor, QueueFactory queues) throws IOException {
        this.executor = executor;
        ExecutorOptions options = executor.options();
        workspace =
                new Workspace(
                        options.verifiesChecksums(),
                        new MemoryAccount(options.workspaceBytes(), executor.budget()));
        placer = new Placer(workspace, executor.metrics(), executor.keptChunks());
        round = new WorkerRound(executor.metrics());
        window = new ReadWindow(options.windowBytesMax());
        lent = executor.lentReads().new Window();
        reads = new StretchRead[options.readsInFlight()];
        Arrays.setAll(reads, StretchRead::new);
        free.addAll(Arrays.asList(reads));
        arrived = new ArrayDeque<>(reads.length); // It never grows: without memory it forgets all.
        // Last: what fails before this leaves nothing behind.
        memory = new ReadMemory(options.readMemoryBytes(), SLOT_BYTES);
        try {
            mapped = executor.newMappedCopies(arena);
            queue =
                    new WorkerReads(
                            queues.newQueue(reads.length, List.of(memory.segment())), reads.length);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            memory.close();
            throw t;
        }
    }

    /** Ends this worker's sleep. Any thread. */
    void wake() {
        queue.wake();
    }

    /** Has files closed that no read uses, when the worker has nothing to do. Any thread. */
    void forgetFiles() {
        forgetsFiles = true;
    }

    @Override
    public Placer placer() {
        return placer;
    }

    @Override
    public void findIndex(IndexWaiter shard) {
        executor.indexes().find(this, shard);
    }

    @Override
    public ShardIndex addIndex(IndexWaiter shard, MemorySegment encoded) throws CodecException {
        return executor.indexes().add(shard, encoded);
    }

    @Override
    public long fusedBytesMax(FileHandle file) {
        if (file.isObject()) {
            return executor.fusedObjectBytesMax(file);
        }
        long bytes = memory.stretchBytesMax(file.alignment());
        return Math.min(executor.options().fusedBytesMax(), bytes);
    }

    /** {@return how many reads it has, and of which rounds. Any thread} */
    WorkerRound round() {
        return round;
    }

    /** {@return whether a read has ended here: the worker is of use} */
    boolean hasRead() {
        return counted.reads() > 0;
    }

    @Override
    public void offer(WorkSource source) {
        boolean isShared =
                source.isToLentMemory() || executor.hasIdleWorkers() || executor.work().isEmpty();
        if (isShared || !tryKeep(source)) {
            executor.offer(source);
        }
    }

    private boolean tryKeep(WorkSource source) {
        try {
            own.addFirst(source);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /** Others have nothing to do: what this worker kept to itself is everybody's. */
    private void shareWork() {
        own.drainTo(executor::offer);
    }

    /**
     * Works until the executor may stop.
     *
     * <p>Whatever it throws, what it had begun has failed.
     *
     * @throws IOException if the queue is broken
     */
    void run() throws IOException {
        try {
            while (!executor.mayStop()) {
                workOnce();
            }
        } catch (IOException e) {
            abandon(new StoreException("read queue", e.getMessage(), e));
            throw e;
        } catch (RuntimeException | Error e) { // A bug, or no memory for the engine itself.
            abandon(describe(e));
            throw e;
        } finally {
            endThread();
        }
    }

    private static Throwable describe(Throwable cause) {
        try {
            return new EngineFailedException("a worker broke", cause);
        } catch (OutOfMemoryError e) {
            return cause;
        }
    }

    private void workOnce() throws IOException {
        round.begin();
        takeWork();
        round.planned(queue.inFlight(), arrived.size());
        submitAndHear();
        round.heard(queue.inFlight(), arrived.size(), window.bytes());
        if (hasLentArrived) {
            refillDrive();
        }
        decodeBurst();
        round.end();
    }

    private void takeWork() {
        hasLentArrived = false;
        if (waiting != null && !begin(waiting)) {
            return;
        }
        waiting = null;
        if (executor.hasIdleWorkers()) {
            shareWork();
        }
        while (hasRoom() && startNext()) { // It calls startRead, which takes from free.
            WorkerThread.tellDue();
        }
        window.turnEnds();
    }

    /** Goes on with what this worker has begun, before it takes anything from the common queue. */
    private boolean startNext() {
        return own.startNext(this, lent) || executor.work().startNext(this, lent);
    }

    /** Whether another read may be taken. */
    private boolean hasRoom() {
        return waiting == null && !free.isEmpty() && !lent.isOverfull() && window.hasRoom();
    }

    @Override
    public boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces) {
        boolean isThere = executor.readNow(file, fileOffset, pieces);
        for (MemorySegment piece : pieces) {
            window.countReadNow(piece.byteSize()); // It took its time even if it was in vain.
        }
        return isThere;
    }

    @Override
    public int workers() {
        return executor.options().workers();
    }

    @Override
    public boolean isMapped(FileHandle file) {
        return mapped.isMapped(file);
    }

    @Override
    public boolean copyNow(FileHandle file, FileParts parts, PartCopier copier) {
        long begin = System.nanoTime();
        boolean isCopied = mapped.copyNow(file, parts, copier);
        round.placed(System.nanoTime() - begin);
        if (isCopied) {
            window.countReadNow(parts.byteSum());
        }
        return isCopied;
    }

    @Override
    public void countRead(long bytes) {
        window.countReadNow(bytes);
    }

    @Override
    public void startRead(
            ReadTask task, int stretch, long fileOffset, long bytes, long workspaceBytes) {
        StretchRead read = free.remove();
        read.set(task, stretch, fileOffset, bytes, workspaceBytes);
        if (read.isInWindow()) {
            window.begin(bytes);
        }
        if (!begin(read)) {
            waiting = read;
        }
    }

    /** Queues a read; false if there is no memory for it now. What goes wrong ends it. */
    private boolean begin(StretchRead read) {
        try {
            return tryBegin(read);
        } catch (OutOfMemoryError e) {
            refuse(read, read.describe(e));
        } catch (RuntimeException | Error e) {
            refuse(read, e);
        }
        return true;
    }

    private boolean tryBegin(StretchRead read) {
        MemoryBudget budget = executor.budget();
        long workspaceBytes = executor.options().workspaceBytes();
        read.requireMemory(memory, executor.options());
        if (!read.takeMemory(memory, budget, workspaceBytes)) {
            long beyond =
                    read.bytesToRead(memory) + read.bytesToDecode(memory, budget, workspaceBytes);
            boolean mayHelp = beyond > 0 && executor.callers().freeForOthers();
            if (!mayHelp || !read.takeMemory(memory, budget, workspaceBytes)) {
                return false;
            }
        }
        boolean wasInWindow = read.isInWindow();
        if (read.beginIfLent(lent, queue) && wasInWindow) {
            window.free(read.bytes);
        }
        if (mapped.copyNow(read.task.file(), read.part(), (one, bytes) -> read.fill(bytes))) {
            hear(read.token, read.readBytes);
            return true;
        }
        queue.start(read);
        return true;
    }

    private void refuse(StretchRead read, Throwable cause) {
        read.fail(cause);
        end(read, -1);
    }

    private void submitAndHear() throws IOException {
        if (arrived.isEmpty() && !WorkerThread.hasUntold()) {
            await();
        } else {
            queue.poll(this::hear);
            if (arrived.isEmpty()) { // Not awaited now: a wake-up may have been heard as well.
                WorkerThread.tellAll();
            }
        }
        window.adapt(queue.areFilesInFlight());
        ReadCounters now = queue.counters();
        executor.metrics().queueWorked(counted, now);
        counted = now;
    }

    /** A drive does not wait while this worker looks at what it brought to lent memory. */
    private void refillDrive() throws IOException {
        int inFlight = queue.inFlight();
        takeWork();
        round.planned(queue.inFlight(), arrived.size());
        if (queue.inFlight() > inFlight) {
            queue.poll(this::hear);
            round.heard(queue.inFlight(), arrived.size(), window.bytes());
        }
    }

    /** Waits for reads, or, if there are none, for work. */
    private void await() throws IOException {
        boolean idle = queue.inFlight() == 0 && isIdle();
        if (!idle) {
            queue.await(this::hear, this::isIdle);
            return;
        }
        if (forgetsFiles) {
            forgetsFiles = false;
            queue.forgetUnusedFiles();
        }
        executor.workerIdles();
        try {
            queue.await(this::hear, this::isIdle);
        } finally {
            executor.workerWorks();
        }
    }

    /** Nothing can be done before a read ends or somebody calls {@link #wake}. */
    private boolean isIdle() {
        boolean mayTake = hasRoom() && (!own.isEmpty() || executor.work().hasStartable(lent));
        return !mayTake && !queue.haveEnded() && !executor.mayStop();
    }

    private void hear(int token, long result) {
        StretchRead read = reads[token];
        read.arrived(result);
        arrived.add(read);
        hasLentArrived |= read.isCountedAsLent();
    }

    private void decodeBurst() {
        for (int i = 0; i < DECODE_BURST && !arrived.isEmpty(); i++) {
            decode(arrived.remove());
            WorkerThread.tellDue();
        }
    }

    private void decode(StretchRead read) {
        ReadTask task = read.task;
        if (read.workspaceBytes > LONG_DECODE_BYTES) {
            WorkerThread.tellAll();
        }
        long neededBytes = -1; // to decode it, where there was too little
        try {
            if (task.isWanted()) {
                read.checkResult();
                workspace.begin(read.reservedToDecode(), read.reservedToRead());
                deliver(task, read.stretch, read.content());
            }
        } catch (MemoryShortException e) {
            if (e.isFinal() && !read.canHaveMore(executor.budget())) {
                task.fail(read.describe(e, executor.options()));
            } else {
                neededBytes = e.neededBytes();
            }
        } catch (RuntimeException | Error e) { // Typed already, or a target that was closed.
            task.fail(e);
            WorkerThread.forgetInterrupt();
        } finally {
            end(read, neededBytes);
        }
    }

    /** {@code neededBytes}: to decode it once more; -1 if that is over. */
    private void end(StretchRead read, long neededBytes) {
        ReadTask task = read.task;
        int stretch = read.stretch;
        try {
            free(read);
        } finally {
            read.task = null; // It is not ended once more if the worker breaks here.
            if (neededBytes < 0) {
                task.ended(stretch);
            } else {
                HandedOverRead.offer(
                        executor, task, stretch, read.fileOffset, read.bytes, neededBytes);
            }
        }
    }

    /** Frees what a read took; its task is to be told, or it begins again. */
    private void free(StretchRead read) {
        if (read.isInWindow()) {
            window.free(read.bytes);
        }
        queue.end(read);
        workspace.end();
        read.freeMemory(memory, executor.budget());
        free.add(read);
    }

    /**
     * What this worker had begun fails. Its memory is freed by {@link #close}, unless {@link
     * #endThread} gives it up.
     */
    private void abandon(Throwable cause) {
        try {
            shareWork();
        } catch (OutOfMemoryError e) {
            own.discard(cause);
        }
        for (StretchRead read : reads) {
            if (read.task != null) {
                read.abandon(cause);
            }
        }
        WorkerThread.tellAll(); // Before the queue is drained, which may take long.
    }

    /**
     * Ends what belongs to its thread. If the kernel does not give our memory back, it is given up
     * for good rather than freed under its hands.
     */
    private void endThread() {
        arena.close();
        boolean drained = queue.drain(DRAIN_LIMIT);
        for (StretchRead read : reads) {
            if (drained) {
                read.freeMemory(memory, executor.budget());
            } else {
                read.giveUpMemory(executor.budget());
            }
        }
        if (drained) {
            queue.forgetUnusedFiles();
            isMemoryOurs = true;
            queue.close();
        } else {
            LOGGER.log(System.Logger.Level.ERROR, "the kernel holds memory that is given up");
        }
    }

    /** Frees its memory. Any thread, after {@link #run} has ended. */
    @Override
    public void close() {
        workspace.close();
        if (isMemoryOurs) {
            memory.close();
        }
    }
}
