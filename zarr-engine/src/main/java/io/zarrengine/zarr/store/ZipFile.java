package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A zip file of the file system. */
final class ZipFile implements ZipSource {
    private final Path path;
    private final FileVersion version;
    private final ReadBackend backend;

    private ZipFile(Path path, FileVersion version, ReadBackend backend) {
        this.path = path;
        this.version = version;
        this.backend = backend;
    }

    /**
     * {@return the store of a zip file; empty if the file is not a zip file}
     *
     * @throws StoreException if it cannot be read, or its directory is damaged
     */
    static Optional<ZipStore> tryOpen(Path path, ReadBackend backend) {
        try {
            FileHandle opened = backend.open(path);
            try {
                ZipDirectory.Part part = (offset, bytes) -> backend.read(opened, offset, bytes);
                ZipFile file = new ZipFile(path, opened.version(), backend);
                return ZipDirectory.read(part, opened.byteSize())
                        .map(entries -> new ZipStore(path, file, entries));
            } finally {
                opened.release();
            }
        } catch (IOException e) {
            throw StoreException.of(path.toString(), e);
        }
    }

    @Override
    public FileHandle open() throws IOException {
        return open(backend::open);
    }

    @Override
    public FileHandle open(Store.FileOpener files) throws IOException {
        FileHandle file = files.open(path);
        if (!file.version().equals(version)) {
            file.release();
            throw new IOException("the zip file has changed since it was opened");
        }
        return file;
    }

    @Override
    public byte[] read(FileHandle file, long offset, int bytes) throws IOException {
        return backend.read(file, offset, bytes);
    }

    @Override
    public ChunkObjects objects(ZipStore zip, Path array) {
        return null;
    }
}
