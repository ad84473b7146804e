package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The open chunk files of one array, the least recently used ones closed first.
 *
 * <p>A file stays the version that it was when it was opened. Threads: any; files are opened
 * outside the lock.
 */
public final class ChunkFiles implements AutoCloseable {
    /** Open files of one array at most; the usual limit of a process is 1024 or far above. */
    private static final int OPEN_MAX = 128;

    private final ReadBackend backend;
    private final Path root;
    private final Map<String, FileHandle> open = new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    /**
     * Creates an empty set of files.
     *
     * @param backend opens them
     * @param root the array's folder
     */
    public ChunkFiles(ReadBackend backend, Path root) {
        this.backend = backend;
        this.root = root;
    }

    /** {@return the array's folder} */
    public Path root() {
        return root;
    }

    /**
     * {@return the file of a chunk, retained for the caller; empty if the chunk was never written}
     *
     * @param key relative to the array
     * @throws IOException if it is there and cannot be opened
     */
    public Optional<FileHandle> open(String key) throws IOException {
        Optional<FileHandle> known = known(key);
        if (known.isPresent()) {
            return known;
        }
        FileHandle opened;
        try {
            opened = backend.open(root.resolve(key));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        keep(key, opened);
        return Optional.of(opened);
    }

    private synchronized Optional<FileHandle> known(String key) {
        FileHandle file = open.get(key);
        if (file != null) {
            file.retain();
        }
        return Optional.ofNullable(file);
    }

    /** Another thread may have opened the same file meanwhile: then that one is kept. */
    private void keep(String key, FileHandle opened) {
        List<FileHandle> evicted = new ArrayList<>();
        synchronized (this) {
            if (!closed && open.putIfAbsent(key, opened) == null) {
                opened.retain();
            }
            Iterator<FileHandle> oldest = open.values().iterator();
            while (open.size() > OPEN_MAX) {
                evicted.add(oldest.next());
                oldest.remove();
            }
        }
        evicted.forEach(FileHandle::release);
    }

    /** Gives up all files; a read that is under way keeps its own. */
    @Override
    public void close() {
        List<FileHandle> released;
        synchronized (this) {
            closed = true;
            released = new ArrayList<>(open.values());
            open.clear();
        }
        released.forEach(FileHandle::release);
    }
}
