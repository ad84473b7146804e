package io.zarrengine.zarr.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.objectstore.MemoryStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Chunks in a store in memory. */
public final class ObjectChunkTarget implements ChunkTarget {
    private static final long BYTES_MAX = Integer.MAX_VALUE - 8; // of a Java array

    private final MemoryStore store;
    private final String prefix;

    /**
     * Creates a target.
     *
     * @param store stores them
     * @param prefix of their keys: the array's, with a slash at the end, or empty
     */
    public ObjectChunkTarget(MemoryStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    @Override
    public void put(String key, MemorySegment encoded) throws IOException {
        if (encoded.byteSize() > BYTES_MAX) {
            throw new IOException(
                    "has " + encoded.byteSize() + " bytes; objects in memory have less than 2 GiB");
        }
        store.put(prefix + key, encoded.toArray(JAVA_BYTE));
    }

    @Override
    public void remove(String key) {
        store.remove(prefix + key);
    }

    @Override
    public void refresh(String key) {
        // A read notices that the object has another version.
    }

    @Override
    public String name(String key) {
        return store.name() + "/" + prefix + key;
    }
}
