package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.ObjectFile;
import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
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
    private final boolean isOpened; // its size and version are known
    private volatile StoredObject opened; // null before its first read, and if it is opened itself

    private volatile boolean isGone;

    private StoredObject(
            ObjectStore store,
            ObjectPath path,
            FileVersion version,
            Optional<String> token,
            boolean isOpened) {
        super(path, version);
        this.store = store;
        this.path = path;
        this.token = token;
        this.isOpened = isOpened;
    }

    static StoredObject unopened(ObjectStore store, ObjectPath path) {
        return new StoredObject(store, path, UNKNOWN, Optional.empty(), false);
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
            opened = new StoredObject(store, path, version, found, true);
        }
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
