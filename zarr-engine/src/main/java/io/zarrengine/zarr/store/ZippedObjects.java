package io.zarrengine.zarr.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the chunks of an array in a zip file that is an object of a store. Threads: any. */
public final class ZippedObjects implements ChunkObjects {
    private final ZipStore zip;
    private final StoredObject object;
    private final Path array;

    ZippedObjects(ZipStore zip, StoredObject object, Path array) {
        this.zip = zip;
        this.object = object;
        this.array = array;
    }

    /** {@return the zip file, at the version that was opened} */
    public StoredObject object() {
        return object;
    }

    /**
     * {@return a chunk; empty if it was never written}
     *
     * @param key relative to the array
     * @throws IOException if the zip file compresses it in a way that is not supported
     */
    public Optional<ZippedChunk> find(String key) throws IOException {
        return zip.find(array.resolve(key));
    }
}
