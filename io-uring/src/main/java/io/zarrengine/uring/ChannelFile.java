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
        super(path, version);
        this.channel = channel;
    }

    static ChannelFile open(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new FileSystemException(path.toString(), null, "is not a regular file");
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            Instant modified = attributes.lastModifiedTime().toInstant();
            FileVersion version =
                    new FileVersion(
                            String.valueOf(attributes.fileKey()),
                            channel.size(),
                            modified.getEpochSecond(),
                            modified.getNano());
            return new ChannelFile(path, version, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
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
