package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.QueueFiles;
import io.zarrengine.uring.ReadCounters;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The reads of one worker. The worker's queue reads files, also those of the disk cache. A store
 * reads objects that are not in the disk cache.
 *
 * <p>Owner: one worker. Threads: the worker's, except {@link #wake}.
 */
final class WorkerReads implements AutoCloseable {
    private final ReadQueue queue;
    private final QueueFiles files;
    private final int readsMax;
    private final ReadListener ofQueue = this::readEnded;
    private ReadListener listener; // of the current call of poll or await
    private StoreReads objects; // null until an object is read
    private KeptReads kept; // null until an object is read

    /** Takes ownership of the queue. */
    WorkerReads(ReadQueue queue, int readsMax) {
        this.queue = queue;
        this.files = new QueueFiles(queue, readsMax);
        this.readsMax = readsMax;
    }

    /** Starts a read that has memory. The next poll submits it. */
    void start(StretchRead read) {
        FileHandle file = read.task.file();
        if (file.isObject()) {
            kept().start(read);
            return;
        }
        read.fileNumber = files.use(file);
        queue.read(
                read.fileNumber,
                read.readOffset,
                read.memory(),
                read.memoryOffset(),
                read.readBytes,
                read.token);
    }

    private KeptReads kept() {
        if (kept == null) {
            objects = new StoreReads(queue::wake);
            kept = new KeptReads(queue, files, readsMax, objects);
        }
        return kept;
    }

    /** Lets go of the file of a read that has ended. */
    void end(StretchRead read) {
        if (read.fileNumber >= 0) {
            files.unuse(read.task.file());
        }
    }

    /** Registers memory with the queue, which then reads to it faster. */
    void register(MemorySegment memory) {
        queue.register(memory);
    }

    int inFlight() {
        return objects == null ? queue.inFlight() : queue.inFlight() + objects.inFlight();
    }

    /** {@return whether reads of files are in flight} */
    boolean areFilesInFlight() {
        return queue.inFlight() > 0;
    }

    /** {@return whether a store has ended a read that no poll has reported yet} */
    boolean haveEnded() {
        return objects != null && objects.haveEnded();
    }

    /** As {@link ReadQueue#poll}. */
    void poll(ReadListener newListener) throws IOException {
        listener = newListener;
        queue.poll(ofQueue);
        pollObjects();
    }

    /** As {@link ReadQueue#await}; {@code nothingToDo} also asks {@link #haveEnded}. */
    void await(ReadListener newListener, BooleanSupplier nothingToDo) throws IOException {
        listener = newListener;
        if (objects != null) {
            objects.submit();
        }
        queue.await(ofQueue, nothingToDo);
        pollObjects();
    }

    private void readEnded(int token, long result) {
        if (kept == null) {
            listener.completed(token, result);
        } else {
            kept.readEnded(token, result, listener);
        }
    }

    private void pollObjects() {
        if (objects != null) {
            objects.submit();
            objects.poll(listener, kept::goOn);
        }
    }

    /** Ends the worker's sleep. Any thread. */
    void wake() {
        queue.wake();
    }

    ReadCounters counters() {
        return queue.counters();
    }

    void forgetUnusedFiles() {
        files.forgetUnused();
    }

    /** {@return whether, within a time, neither the kernel nor a store uses memory any more} */
    boolean drain(Duration limit) {
        boolean areObjectsDrained = objects == null || objects.drain(limit);
        return queue.drain(limit) && areObjectsDrained;
    }

    /** Frees the queue, after {@link #drain}. */
    @Override
    public void close() {
        if (kept != null) {
            kept.close();
        }
        queue.close();
    }
}
