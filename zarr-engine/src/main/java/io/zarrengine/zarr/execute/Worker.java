package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.MappedReader.PartCopier;
import io.zarrengine.uring.ReadCounters;
import io.zarrengine.uring.plan.FileParts;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.decode.Placer;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.EngineFailedException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.memory.MemoryAccount;
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
import java.util.ArrayDeque;
import java.util.List;

/**
 * One thread that reads, decodes and places.
 *
 * <p>Each round of its loop takes work while there is room, submits reads, notes which reads have
 * ended, and decodes some of them. The next round takes work before all reads are decoded, so that
 * the queue always has reads.
 *
 * <p>Owner: the {@link Executor}. Threads: its own, except {@link #wake} and {@link #close}.
 */
final class Worker implements TaskRunner, AutoCloseable {
    /** The largest number of reads that one round decodes. */
    private static final int DECODE_BURST = 16;

    /** Larger decodes take long, so ended requests are reported to their callers before one. */
    private static final long LONG_DECODE_BYTES = 256 << 10;

    private final Executor executor;
    private final Arena arena = Arena.ofConfined();
    private final ReadsInFlight inFlight;
    private final WorkerReads queue; // of those reads
    private final Workspace workspace;
    private final Placer placer;
    private final MappedCopies mapped;
    private final WorkerRound round;

    private final ArrayDeque<StretchRead> arrived;
    private final WorkQueue own = new WorkQueue(); // work that other workers do not see
    private volatile boolean forgetsFiles;
    private final ReadWindow window; // counts reads of files to the worker's memory
    private final LentReads.Window lent; // counts reads to lent memory
    private boolean hasLentArrived; // a read to lent memory ended after work was last taken
    private ReadCounters counted = ReadCounters.NONE; // what the metrics contain already

    /**
     * Creates a worker. Must run on the worker's thread, because the ring belongs to that thread.
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
        arrived = new ArrayDeque<>(options.readsInFlight()); // Never grows: that could fail.
        try {
            mapped = executor.newMappedCopies(arena);
            inFlight =
                    new ReadsInFlight(
                            options,
                            executor.budget(),
                            () -> executor.callers().freeForOthers(),
                            queues);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
        queue = inFlight.queue();
    }

    /** Ends this worker's sleep. Any thread. */
    void wake() {
        queue.wake();
    }

    /** Has the worker close unused files when it has nothing to do. Any thread. */
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
        long bytes = inFlight.memory().stretchBytesMax(file.alignment());
        return Math.min(executor.options().fusedBytesMax(), bytes);
    }

    /** {@return the numbers of this worker's reads, which any thread may ask for} */
    WorkerRound round() {
        return round;
    }

    /** {@return whether a read has ended here, so this worker did not break at its start} */
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

    /** Moves the work of this worker to the common queue, for workers that have nothing to do. */
    private void shareWork() {
        own.drainTo(executor::offer);
    }

    /**
     * Works until the executor may stop. If this throws, the requests of this worker's reads have
     * failed.
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
            abandon(EngineFailedException.ofWorker(e));
            throw e;
        } finally {
            endThread();
        }
    }

    private void workOnce() throws IOException {
        round.begin();
        takeWork();
        round.planned(queue.inFlight(), arrived.size());
        submitAndReap();
        round.noteReads(queue.inFlight(), arrived.size(), window.bytes());
        if (hasLentArrived) {
            refillDrive();
        }
        decodeBurst();
        round.end();
    }

    private void takeWork() {
        hasLentArrived = false;
        StretchRead waiting = inFlight.waiting();
        if (waiting != null && !begin(waiting)) {
            return;
        }
        inFlight.waitEnds();
        if (executor.hasIdleWorkers()) {
            shareWork();
        }
        while (hasRoom() && startNext()) { // startNext takes a read, so hasRoom may change.
            WorkerThread.tellDue();
        }
        window.turnEnds();
    }

    /** Starts own work before work of the common queue. */
    private boolean startNext() {
        return own.startNext(this, lent) || executor.work().startNext(this, lent);
    }

    /** Returns whether this worker may start another read. */
    private boolean hasRoom() {
        return inFlight.hasFree() && !lent.isOverfull() && window.hasRoom();
    }

    @Override
    public boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces) {
        boolean isThere = executor.readNow(file, fileOffset, pieces);
        for (MemorySegment piece : pieces) {
            window.countReadNow(piece.byteSize()); // Takes time even if it finds nothing.
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
        if (!inFlight.hasFree()) { // A task that has arrived goes on with a read.
            HandedOverRead.offer(executor, task, stretch, fileOffset, bytes, workspaceBytes);
            return;
        }
        StretchRead read = inFlight.take();
        read.set(task, stretch, fileOffset, bytes, workspaceBytes);
        if (read.isInWindow()) {
            window.begin(bytes);
        }
        begin(read);
    }

    /** Starts a read; returns false if it waits for memory. An error ends the read. */
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
        if (!inFlight.takeMemory(read)) {
            return false;
        }
        boolean wasInWindow = read.isInWindow();
        if (read.beginIfLent(lent, queue) && wasInWindow) {
            window.free(read.bytes);
        }
        if (mapped.copyNow(read.task.file(), read.part(), (one, bytes) -> read.fill(bytes))) {
            readEnded(read.token, read.readBytes);
            return true;
        }
        queue.start(read);
        if (read.isFromDiskCache && read.isInWindow()) {
            window.begin(read.bytes);
        }
        return true;
    }

    private void refuse(StretchRead read, Throwable cause) {
        read.fail(cause);
        end(read, -1);
    }

    private void submitAndReap() throws IOException {
        if (arrived.isEmpty() && !WorkerThread.hasUntold()) {
            await();
        } else {
            queue.poll(this::readEnded);
            if (arrived.isEmpty()) { // No wait: the poll may have consumed a wake-up.
                WorkerThread.tellAll();
            }
        }
        window.adapt(queue.areFilesInFlight());
        ReadCounters now = queue.counters();
        executor.metrics().queueWorked(counted, now);
        counted = now;
    }

    /** Submits more reads before this worker passes lent memory on, so that no drive waits. */
    private void refillDrive() throws IOException {
        int inFlight = queue.inFlight();
        takeWork();
        round.planned(queue.inFlight(), arrived.size());
        if (queue.inFlight() > inFlight) {
            queue.poll(this::readEnded);
            round.noteReads(queue.inFlight(), arrived.size(), window.bytes());
        }
    }

    /** Waits until a read ends or there is work. */
    private void await() throws IOException {
        boolean idle = queue.inFlight() == 0 && isIdle();
        if (!idle) {
            queue.await(this::readEnded, this::isIdle);
            return;
        }
        if (forgetsFiles) {
            forgetsFiles = false;
            queue.forgetUnusedFiles();
        }
        executor.workerIdles();
        try {
            queue.await(this::readEnded, this::isIdle);
        } finally {
            executor.workerWorks();
        }
    }

    /** Returns whether this worker has to wait for the end of a read or for {@link #wake}. */
    private boolean isIdle() {
        boolean mayTake = hasRoom() && (!own.isEmpty() || executor.work().hasStartable(lent));
        return !mayTake && !queue.haveEnded() && !executor.mayStop();
    }

    private void readEnded(int token, long result) {
        StretchRead read = inFlight.get(token);
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
        long neededBytes = -1; // what decoding needs, if there was too little memory
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
        } catch (RuntimeException | Error e) { // A damaged chunk, or a closed target.
            task.fail(e);
            WorkerThread.forgetInterrupt();
        } finally {
            end(read, neededBytes);
        }
    }

    /** Ends a stretch, or offers it again if decoding lacks {@code neededBytes}; -1: it ends. */
    private void end(StretchRead read, long neededBytes) {
        ReadTask task = read.task;
        int stretch = read.stretch;
        try {
            free(read);
        } finally {
            read.task = null; // abandon() must not end the stretch again.
            if (neededBytes < 0) {
                task.ended(stretch);
            } else {
                HandedOverRead.offer(
                        executor, task, stretch, read.fileOffset, read.bytes, neededBytes);
            }
        }
    }

    /** Frees the memory and the file of a read. */
    private void free(StretchRead read) {
        if (read.isInWindow()) {
            window.free(read.bytes);
        }
        queue.end(read);
        workspace.end();
        inFlight.free(read);
    }

    /** Fails the requests of all reads. {@link #endThread} and {@link #close} free memory. */
    private void abandon(Throwable cause) {
        try {
            shareWork();
        } catch (OutOfMemoryError e) {
            own.discard(cause);
        }
        inFlight.abandon(cause);
        WorkerThread.tellAll(); // Callers should not wait until the queue is drained.
    }

    /** Frees what this thread owns. Memory that the kernel or a store still uses is given up. */
    private void endThread() {
        arena.close();
        inFlight.end();
    }

    /** Frees the memory of this worker. Any thread, after {@link #run} has ended. */
    @Override
    public void close() {
        workspace.close();
        inFlight.close();
    }
}
