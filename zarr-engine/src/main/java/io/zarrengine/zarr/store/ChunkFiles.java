package io.zarrengine.zarr.store;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.files.FileCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The chunk files of an array, kept open for later reads. A file that was replaced on disk stays at
 * the version that was first opened, until it is forgotten.
 *
 * <p>Owner: the array. Threads: any.
 */
public final class ChunkFiles implements AutoCloseable {
    private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

    private final ReadBackend backend;
    private final Caching caching;
    private final Store store;
    private final Path root;
    private final FileCache files;
    private final ChunkObjects objects; // null if the chunks are in files
    private final OpenChunkFiles ofEngine;
    private volatile boolean isOfEngine; // whether it was added to ofEngine
    private volatile boolean closed;
    private volatile int alignment = 1;

    /**
     * Creates an empty set of files.
     *
     * @param backend opens the files
     * @param caching the caching mode of the files
     * @param ofEngine the engine's set, which has these files while some may be open
     * @param store the store of the array
     * @param root the array's folder
     */
    public ChunkFiles(
            ReadBackend backend, Caching caching, OpenChunkFiles ofEngine, Store store, Path root) {
        this.backend = backend;
        this.caching = caching;
        this.ofEngine = ofEngine;
        this.store = store;
        this.root = root;
        this.files = new FileCache(backend, caching, FileCache.FILES_MAX, NEVER);
        this.objects = store == null ? null : store.objects(root);
    }

    /** {@return the chunks of the array in objects; null if they are in files} */
    public ChunkObjects objects() {
        return objects;
    }

    /** {@return the array's folder} */
    public Path root() {
        return root;
    }

    /**
     * {@return the current number and sizes of the chunk files}
     *
     * @param rank number of dimensions
     * @param isChunk whether a path, relative to the array and with slashes, is a chunk key
     */
    public ChunkFileSizes sizes(int rank, Predicate<String> isChunk) {
        return store.sizes(root, rank, isChunk);
    }

    /**
     * {@return the location of a chunk, with its file retained for the caller; empty if it was
     * never written}
     *
     * @param key relative to the array
     * @throws IOException if it exists and cannot be opened
     */
    public Optional<ChunkLocation> open(String key) throws IOException {
        Optional<ChunkLocation> chunk = store.chunk(root.resolve(key), this::openKept);
        int found = chunk.map(location -> location.file().alignment()).orElse(alignment);
        // Avoids a write for each chunk, because all workers read the field.
        if (found != alignment) {
            alignment = found;
        }
        return chunk;
    }

    /** {@return the alignment of reads of the last opened file, in bytes; 1 if none was opened} */
    public int alignment() {
        return alignment;
    }

    /**
     * Opens a file. If the array is closed, it is opened without the cache, so that a running read
     * can continue.
     */
    private FileHandle openKept(Path path) throws IOException {
        if (closed) {
            return backend.open(path, caching);
        }
        try {
            FileHandle file = files.open(path);
            noteOpen();
            return file;
        } catch (IllegalStateException e) {
            if (!closed) {
                throw e;
            }
            return backend.open(path, caching);
        }
    }

    /**
     * Adds these files to the engine's set. The calling read is running, and the engine waits for
     * it before it closes files.
     */
    private void noteOpen() {
        if (!isOfEngine) {
            isOfEngine = true;
            ofEngine.add(this);
            if (closed) {
                ofEngine.remove(this);
            }
        }
    }

    /** Releases a file, if it is open. Running reads keep their own references. */
    void forget(Path file) {
        files.forget(file);
    }

    /** Releases all files. Running reads keep their own references. */
    @Override
    public void close() {
        closed = true;
        files.close();
        ofEngine.remove(this);
    }
}
