package io.zarrengine.zarr.store;

import io.zarrengine.zarr.objectstore.ObjectChangedException;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files of a folder as objects, which may be too large for memory; it notes what is read. */
final class FileObjects implements ObjectStore {
    private final Path folder;
    final List<String> reads = new ArrayList<>();
    boolean knowsVersions = true;

    FileObjects(Path folder) {
        this.folder = folder;
    }

    @Override
    public String name() {
        return "test://files";
    }

    @Override
    public void read(List<? extends ObjectRead> all) {
        for (ObjectRead read : all) {
            reads.add(read.key() + " " + read.offset() + " " + read.length());
            try {
                read(read);
            } catch (IOException e) {
                read.failed(e);
            }
        }
    }

    private void read(ObjectRead read) throws IOException {
        Path file = folder.resolve(read.key());
        if (!Files.isRegularFile(file)) {
            read.missing();
            return;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            String version = channel.size() + "@" + Files.getLastModifiedTime(file);
            if (!read.version().orElse(version).equals(version)) {
                throw new ObjectChangedException(read.version().get(), version);
            }
            long size = channel.size();
            long from = read.offset() < 0 ? Math.max(size - read.length(), 0) : read.offset();
            long bytes = Math.clamp(size - from, 0, read.length());
            ByteBuffer target = read.target(bytes).asByteBuffer();
            while (target.hasRemaining()) {
                channel.read(target, from + target.position());
            }
            read.completed(bytes, size, knowsVersions ? Optional.of(version) : Optional.empty());
        }
    }

    @Override
    public void close() {}
}
