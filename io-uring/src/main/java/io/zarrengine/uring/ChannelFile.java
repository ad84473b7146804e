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

/** A file opened with the JDK's own I/O, used where native access is denied. */
final class ChannelFile extends FileHandle {
    private final FileChannel channel;

    private ChannelFile(Path path, FileVersion version, FileChannel channel) {
        super(path, version, Caching.BUFFERED, 1);
        this.channel = channel;
    }

    static ChannelFile open(Path path) throws IOException {
        FileVersion version = version(path);
        while (true) {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            try {
                // Not channel.size(): an interrupted thread would close the channel by calling it.
                FileVersion opened = version(path);
                if (opened.equals(version)) {
                    return new ChannelFile(path, version, channel);
                }
                version = opened;
            } catch (Throwable t) { // Allowed: no channel is left open
                channel.close();
                throw t;
            }
            channel.close(); // It may be of either version.
        }
    }

    static FileVersion version(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new FileSystemException(path.toString(), null, "is not a regular file");
        }
        Instant modified = attributes.lastModifiedTime().toInstant();
        return new FileVersion(
                String.valueOf(attributes.fileKey()),
                attributes.size(),
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
