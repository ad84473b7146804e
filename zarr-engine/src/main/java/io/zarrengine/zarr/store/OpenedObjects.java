package io.zarrengine.zarr.store;

import io.zarrengine.zarr.diskcache.KeptObject;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Remembers the chunk objects of an array that were opened, so that later reads need not ask for
 * their size and version. Threads: any.
 */
public final class OpenedObjects implements ChunkObjects {
    /** Some 200 bytes each. */
    private static final int OBJECTS_MAX = 1 << 16;

    private final ObjectStore store;
    private final ObjectPath root;
    private final Function<ObjectPath, Optional<KeptObject>> kept;

    private final Map<String, StoredObject> opened = // by key; guarded by this
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, StoredObject> eldest) {
                    return size() > OBJECTS_MAX;
                }
            };

    /** {@code kept}: finds what a cache keeps of an object on disk. */
    OpenedObjects(
            ObjectStore store, ObjectPath root, Function<ObjectPath, Optional<KeptObject>> kept) {
        this.store = store;
        this.root = root;
        this.kept = kept;
    }

    /**
     * {@return the version of an object that was opened; null if none was, or the store has another
     * one now}
     *
     * @param key relative to the array
     */
    public synchronized StoredObject opened(String key) {
        StoredObject object = opened.get(key);
        if (object != null && object.isGone()) {
            opened.remove(key);
            return null;
        }
        return object;
    }

    /**
     * {@return a handle to find out the size and version of an object}
     *
     * @param key relative to the array
     */
    public StoredObject unopened(String key) {
        ObjectPath path = (ObjectPath) root.resolve(key);
        return StoredObject.unopened(store, path, kept.apply(path));
    }

    /**
     * Remembers an opened object.
     *
     * @param key relative to the array
     * @param object from {@link StoredObject#opened}
     */
    public synchronized void remember(String key, StoredObject object) {
        opened.put(key, object);
    }
}
