package io.zarrengine.uring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

/** A file opened with the JDK's own I/O, where native access is denied. */
final class ChannelFile extends FileHandle {
    private final FileChannel channel;

    private ChannelFile(Path path, FileVersion version, FileChannel channel) {
        super(path, version, Caching.BUFFERED, 1);
        this.channel = channel;
    }

    static ChannelFile open(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new FileSystemException(path.toString(), null, "is not a regular file");
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            FileVersion version = version(attributes, channel.size());
            return new ChannelFile(path, version, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static FileVersion version(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return version(attributes, attributes.size());
    }

    private static FileVersion version(BasicFileAttributes attributes, long byteSize) {
        Instant modified = attributes.lastModifiedTime().toInstant();
        return new FileVersion(
                String.valueOf(attributes.fileKey()),
                byteSize,
                modified.getEpochSecond(),
                modified.getNano());
    }

    FileChannel channel() {
        return channel;
    }

    @Override
    void closeFile() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(path().toString(), e);
        }
    }
}
