package io.zarrengine.bench.compare;

import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** A store of the files of a folder, which stands for a remote one. */
final class FolderObjectStore implements ObjectStore {
    private final Path folder;

    FolderObjectStore(Path folder) {
        this.folder = folder;
    }

    @Override
    public String name() {
        return "files:" + folder;
    }

    @Override
    public Optional<String> cacheName() {
        return Optional.of(name());
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        for (ObjectRead read : reads) {
            try {
                read(read);
            } catch (NoSuchFileException e) {
                read.missing();
            } catch (IOException | RuntimeException e) {
                read.failed(e);
            }
        }
    }

    private void read(ObjectRead read) throws IOException {
        Path path = folder.resolve(read.key());
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = file.size();
            long from = read.offset() < 0 ? Math.max(size - read.length(), 0) : read.offset();
            long bytes = Math.clamp(size - from, 0, read.length());
            ByteBuffer target = read.target(bytes).asByteBuffer();
            long at = from;
            while (target.hasRemaining()) {
                at += file.read(target, at);
            }
            String version = size + "-" + Files.getLastModifiedTime(path).toMillis();
            read.completed(bytes, size, Optional.of(version));
        }
    }

    @Override
    public void close() {}
}
