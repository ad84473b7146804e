package io.zarrengine.zarr.execute;

import io.zarrengine.uring.QueueFiles;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.diskcache.KeptObject;
import io.zarrengine.zarr.diskcache.KeptRange;
import io.zarrengine.zarr.store.StoredObject;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The reads of one worker of objects that a cache has on disk: its queue reads files of the cache.
 * What is damaged there, the store reads.
 *
 * <p>Owner: one worker. Threads: its own.
 */
final class KeptReads implements AutoCloseable {
    private final ReadQueue queue;
    private final QueueFiles files;
    private final Consumer<StretchRead> toStore;
    private final StretchRead[] reads; // by token; null if none is under way
    private final KeptRange[] ranges; // likewise
    private int removalsSeen;

    /** {@code toStore}: takes what has to be read by the store. */
    KeptReads(ReadQueue queue, QueueFiles files, int readsMax, Consumer<StretchRead> toStore) {
        this.queue = queue;
        this.files = files;
        this.toStore = toStore;
        this.reads = new StretchRead[readsMax];
        this.ranges = new KeptRange[readsMax];
    }

    /** Queues a read; false if the cache has not all of it. */
    boolean tryStart(StretchRead read) {
        StoredObject object = (StoredObject) read.task.file();
        if (object.kept().isEmpty()) {
            return false;
        }
        KeptObject kept = object.kept().get();
        closeRemoved(kept);
        Optional<KeptRange> found =
                kept.find(object.versionToken(), read.readOffset, read.readBytes);
        found.ifPresent(range -> start(read, range));
        return found.isPresent();
    }

    private void start(StretchRead read, KeptRange range) {
        int number;
        try {
            number = files.use(range.file());
        } catch (RuntimeException | Error e) {
            range.close();
            throw e;
        }
        reads[read.token] = read;
        ranges[read.token] = range;
        queue.read(
                number,
                range.fileOffset(),
                read.memory(),
                read.memoryOffset(),
                range.bytesToRead(),
                read.token);
        read.isKept = true;
    }

    /** Removed files take their place until they are closed. */
    private void closeRemoved(KeptObject kept) {
        int removals = kept.removals();
        if (removals != removalsSeen) {
            removalsSeen = removals;
            files.forgetUnused();
        }
    }

    /** Takes what the queue reports. */
    void hear(int token, long result, ReadListener listener) {
        KeptRange range = ranges[token];
        if (range == null) {
            listener.completed(token, result);
            return;
        }
        StretchRead read = reads[token];
        reads[token] = null;
        ranges[token] = null;
        files.unuse(range.file());
        try (range) {
            boolean isThere = result >= range.bytes();
            MemorySegment bytes =
                    isThere
                            ? read.memory().asSlice(read.memoryOffset(), range.bytes())
                            : MemorySegment.NULL;
            if (range.isIntact(bytes)) {
                ((StoredObject) read.task.file())
                        .found(range.objectBytes(), Optional.of(range.version()));
                listener.completed(token, range.bytes());
                return;
            }
        }
        toStore.accept(read);
    }

    /** Gives up the files of reads that were not reported. */
    @Override
    public void close() {
        for (int token = 0; token < ranges.length; token++) {
            if (ranges[token] != null) {
                ranges[token].close();
                ranges[token] = null;
            }
        }
    }
}
