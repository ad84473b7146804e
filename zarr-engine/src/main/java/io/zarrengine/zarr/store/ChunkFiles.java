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
 * The chunk files of an array, kept open for the next read. Each stays the version that it was when
 * it was first opened.
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
    private final OpenChunkFiles ofEngine;
    private volatile boolean isOfEngine; // It has had files.
    private volatile boolean closed;
    private volatile int alignment = 1;

    /**
     * Creates an empty set of files.
     *
     * @param backend opens them
     * @param caching how they are opened
     * @param ofEngine where these files are while some of them may be open
     * @param store holds the array
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
    }

    /** {@return the array's folder} */
    public Path root() {
        return root;
    }

    /**
     * {@return how much the array takes now}
     *
     * @param isChunk whether a path, relative to the array and with slashes, is a chunk's key
     */
    public ChunkFileSizes sizes(Predicate<String> isChunk) {
        return store.sizes(root, isChunk);
    }

    /**
     * {@return where a chunk is, its file retained for the caller; empty if it was never written}
     *
     * @param key relative to the array
     * @throws IOException if it is there and cannot be opened
     */
    public Optional<ChunkLocation> open(String key) throws IOException {
        Optional<ChunkLocation> chunk = store.chunk(root.resolve(key), this::openKept);
        int found = chunk.map(location -> location.file().alignment()).orElse(alignment);
        if (found != alignment) { // Not each time: all workers read it.
            alignment = found;
        }
        return chunk;
    }

    /** {@return what reads of the file are aligned to that was opened last; 1 if none was} */
    public int alignment() {
        return alignment;
    }

    /** A read that was under way when the array was closed goes on. */
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

    /** A chunk's read is under way, and the engine waits for it before it closes files. */
    private void noteOpen() {
        if (!isOfEngine) {
            isOfEngine = true;
            ofEngine.add(this);
            if (closed) {
                ofEngine.remove(this);
            }
        }
    }

    /** Gives up all files; a read that is under way keeps its own. */
    @Override
    public void close() {
        closed = true;
        files.close();
        ofEngine.remove(this);
    }
}
