package io.zarrengine.uring.files;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.OpenFileHandles;
import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A source that opens at most {@code descriptors} files at once, like a process with a low limit.
 */
final class LimitedSource implements FileCache.Source, AutoCloseable {
    private final ReadBackend backend = ReadBackend.best();
    private int descriptors;
    private final List<FileHandle> handles = new ArrayList<>();
    private final List<String> opened = new ArrayList<>();

    LimitedSource(int descriptors) {
        this.descriptors = descriptors;
    }

    @Override
    public synchronized FileHandle open(Path path) throws IOException {
        if (openFiles() >= descriptors) {
            throw new FileSystemException(path.toString(), null, "Too many open files");
        }
        opened.add(path.getFileName().toString());
        FileHandle handle = backend.open(path);
        handles.add(handle);
        return handle;
    }

    @Override
    public FileVersion version(Path path) throws IOException {
        return backend.version(path);
    }

    synchronized void allow(int newDescriptors) {
        descriptors = newDescriptors;
    }

    synchronized int openFiles() {
        handles.removeIf(handle -> !OpenFileHandles.isOpen(handle));
        return handles.size();
    }

    /** {@return the number of times a file was opened} */
    synchronized long opens(String name) {
        return opened.stream().filter(name::equals).count();
    }

    @Override
    public void close() {
        backend.close();
    }
}
