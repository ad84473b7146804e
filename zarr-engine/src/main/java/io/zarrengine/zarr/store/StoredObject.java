package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.ObjectFile;
import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.zarr.diskcache.KeptObject;
import io.zarrengine.zarr.diskcache.KeptVersion;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An object of a store. Before its first read, its size and its version are unknown: the read finds
 * them, and {@link #opened} is then the handle of that version.
 */
public final class StoredObject extends ObjectFile {
    private static final FileVersion UNKNOWN = new FileVersion("", 0, 0, 0);

    /** Numbers the objects whose store knows no version, so that no cache mixes them up. */
    private static final AtomicLong UNVERSIONED = new AtomicLong();

    private final ObjectStore store;
    private final ObjectPath path;
    private final Optional<String> token;
    private final Optional<KeptObject> kept; // on disk
    private final boolean isOpened; // its size and version are known
    private final MemorySegment
            content; // all of its bytes, on the heap; null: the store reads them
    private volatile StoredObject opened; // null before its first read, and if it is opened itself

    private volatile boolean isGone;

    private StoredObject(
            ObjectStore store,
            ObjectPath path,
            FileVersion version,
            Optional<String> token,
            Optional<KeptObject> kept,
            boolean isOpened,
            MemorySegment content) {
        super(path, version, kept.isPresent() ? FileHandle.ALIGNMENT_MAX : 1);
        this.store = store;
        this.path = path;
        this.token = token;
        this.kept = kept;
        this.isOpened = isOpened;
        this.content = content;
    }

    static StoredObject unopened(ObjectStore store, ObjectPath path, Optional<KeptObject> kept) {
        return new StoredObject(store, path, UNKNOWN, Optional.empty(), kept, false, null);
    }

    /** {@return the store that reads it} */
    public ObjectStore store() {
        return store;
    }

    /** {@return its name in the store} */
    public String key() {
        return path.key();
    }

    /** {@return the version that each read must find; empty if it is not known} */
    public Optional<String> versionToken() {
        return token;
    }

    /** {@return the part of it that a cache on disk keeps; empty if it may keep none} */
    public Optional<KeptObject> kept() {
        return kept;
    }

    /** {@return the version of which each read must be; empty if none is known} */
    public Optional<KeptVersion> keptVersion() {
        return token.map(known -> new KeptVersion(known, byteSize()));
    }

    /**
     * Notes what a read of this unopened object found.
     *
     * @param bytes size of the object
     * @param found its version; empty if the store knows none
     */
    public void found(long bytes, Optional<String> found) {
        if (!isOpened) {
            String identity = found.orElseGet(() -> "#" + UNVERSIONED.incrementAndGet());
            FileVersion version = new FileVersion(path + "@" + identity, bytes, 0, 0);
            opened =
                    new StoredObject(
                            store,
                            path,
                            version,
                            found,
                            found.isPresent() ? kept : Optional.empty(),
                            true,
                            null);
        }
    }

    /**
     * {@return a handle of this opened version that has all of its bytes} It is for the reads that
     * wait for the opening: a later one has to ask the store whether the object has changed.
     *
     * @param all the bytes; copied
     */
    public StoredObject holding(MemorySegment all) {
        MemorySegment copy = MemorySegment.ofArray(all.toArray(ValueLayout.JAVA_BYTE));
        return new StoredObject(store, path, version(), token, kept, true, copy);
    }

    /** {@return all of its bytes; null if the store has to be asked} */
    public MemorySegment content() {
        return content;
    }

    /** {@return the version that the read has found; null if it has found none} */
    public StoredObject opened() {
        return opened;
    }

    /** Notes that the store has another version now: who reads next opens that one. */
    public void setGone() {
        isGone = true;
    }

    boolean isGone() {
        return isGone;
    }

    /** {@return the rule by which its ranges are read together} */
    public FuseRule fuseRule() {
        RequestCost cost = store.requestCost();
        return new FuseRule(cost.gapBytes(), cost.fusedBytesMax(), Long.MAX_VALUE, 1);
    }
}
