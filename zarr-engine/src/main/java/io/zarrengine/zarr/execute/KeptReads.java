package io.zarrengine.zarr.execute;

import io.zarrengine.uring.QueueFiles;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.diskcache.KeptObject;
import io.zarrengine.zarr.diskcache.KeptRange;
import io.zarrengine.zarr.diskcache.KeptVersion;
import io.zarrengine.zarr.store.StoredObject;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * One worker's reads of objects that a cache keeps on disk. The worker's queue reads the files of
 * the cache. The store reads what is not in the cache, or is damaged there.
 *
 * <p>Owner: one worker. Threads: its own.
 */
final class KeptReads implements AutoCloseable {
    private final ReadQueue queue;
    private final QueueFiles files;
    private final StoreReads objects;
    private final StretchRead[] reads; // by token; null if none is under way
    private final KeptRange[] ranges; // of the same reads
    private int closingsSeen;

    /** {@code objects} reads from stores. */
    KeptReads(ReadQueue queue, QueueFiles files, int readsMax, StoreReads objects) {
        this.queue = queue;
        this.files = files;
        this.objects = objects;
        this.reads = new StretchRead[readsMax];
        this.ranges = new KeptRange[readsMax];
    }

    /** Starts a read. If the cached bytes may be out of date, asks the store for the version. */
    void start(StretchRead read) {
        StoredObject object = (StoredObject) read.task.file();
        boolean isKnown = object.content() != null;
        Optional<KeptRange> found = isKnown ? Optional.empty() : find(read, object.keptVersion());
        if (found.isEmpty()) {
            objects.read(read);
        } else if (found.get().isCurrent()) {
            start(read, found.get());
            read.isFromDiskCache = true;
        } else {
            found.get().close();
            objects.ask(read);
        }
    }

    /** Continues a read after the store has told the current version of its object. */
    void goOn(StretchRead read) {
        StoredObject current = ((StoredObject) read.task.file()).opened();
        Optional<KeptVersion> version = current.keptVersion();
        version.flatMap(known -> current.kept()).ifPresent(kept -> kept.confirm(version.get()));
        version.flatMap(known -> find(read, version))
                .ifPresentOrElse(range -> start(read, range), () -> objects.read(read));
    }

    private Optional<KeptRange> find(StretchRead read, Optional<KeptVersion> version) {
        Optional<KeptObject> kept = ((StoredObject) read.task.file()).kept();
        kept.ifPresent(this::closeUnused);
        return kept.flatMap(there -> there.find(version, read.readOffset, read.readBytes));
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
    }

    /** Closes files that the cache has closed: a removed one takes space on disk until then. */
    private void closeUnused(KeptObject kept) {
        int closings = kept.closings();
        if (closings != closingsSeen) {
            closingsSeen = closings;
            files.forgetUnused();
        }
    }

    /** Takes the result of a read of the queue, which may be a read of another file. */
    void readEnded(int token, long result, ReadListener listener) {
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
                KeptVersion version = range.version();
                ((StoredObject) read.task.file())
                        .found(version.objectBytes(), Optional.of(version.token()));
                listener.completed(token, range.bytes());
                return;
            }
        }
        objects.read(read);
    }

    /** Releases the files of the reads that have no result yet. */
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
