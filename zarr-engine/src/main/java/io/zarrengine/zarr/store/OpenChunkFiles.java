package io.zarrengine.zarr.store;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The chunk files that the arrays of an engine keep open. When the engine closes, it closes those
 * of arrays that are still open.
 *
 * <p>Owner: the engine. Threads: any.
 */
public final class OpenChunkFiles implements AutoCloseable {
    private final Set<ChunkFiles> open = ConcurrentHashMap.newKeySet();

    /** Creates an empty set. */
    public OpenChunkFiles() {}

    void add(ChunkFiles files) {
        open.add(files);
    }

    void remove(ChunkFiles files) {
        open.remove(files);
    }

    /**
     * Has all arrays open a file again when they next read it, because it was replaced.
     *
     * @param file as the arrays name it
     */
    public void forget(Path file) {
        open.forEach(files -> files.forget(file));
    }

    @Override
    public void close() {
        open.forEach(ChunkFiles::close);
    }
}
