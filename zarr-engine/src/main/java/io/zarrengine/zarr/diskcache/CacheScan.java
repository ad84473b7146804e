package io.zarrengine.zarr.diskcache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Looks at all files of the cache, and removes those that were not used for the longest time. Files
 * may vanish meanwhile. Nothing is ever cut: readers go on with a removed file.
 */
final class CacheScan {
    /** Below this a file may as well have no holes. */
    private static final long DENSE_BYTES_MAX = 1 << 20;

    private static final int TABLE_PART_BYTES = 64 << 10;

    /** A killed process left it: no other one takes so long to write the first block. */
    private static final Duration LEFT_AGE = Duration.ofMinutes(10);

    private final Path root;
    private final BooleanSupplier mayGoOn;
    private final TreeMap<Long, Long> bytesBySecond = new TreeMap<>(); // of the last use
    private long bytes;

    CacheScan(Path root, BooleanSupplier mayGoOn) {
        this.root = root;
        this.mayGoOn = mayGoOn;
    }

    /** Handles one file of the cache. */
    @FunctionalInterface
    private interface Visitor {
        void visit(Path file, BasicFileAttributes attributes) throws IOException;
    }

    /** {@return the bytes of the disk that all files take} */
    long measure() throws IOException {
        Instant leftBefore = Instant.now().minus(LEFT_AGE);
        visit((file, attributes) -> {
            Instant used = attributes.lastModifiedTime().toInstant();
            if (isBeside(file)) {
                if (used.isBefore(leftBefore)) {
                    Files.deleteIfExists(file);
                }
                return;
            }
            long size = bytesOf(file, attributes);
            bytes += size;
            bytesBySecond.merge(used.getEpochSecond(), size, Long::sum);
        });
        return bytes;
    }

    /**
     * {@return the number of freed bytes; removes files until that is at least the wanted number}
     */
    long free(long wanted) throws IOException {
        long latest = latestToRemove(wanted);
        long[] freed = {0};
        visit((file, attributes) -> {
            long used = attributes.lastModifiedTime().toInstant().getEpochSecond();
            if (used <= latest && freed[0] < wanted && !isBeside(file)) {
                long size = bytesOf(file, attributes);
                if (Files.deleteIfExists(file)) {
                    freed[0] += size;
                }
            }
        });
        return freed[0];
    }

    /** Another process creates it, and will move it. */
    private static boolean isBeside(Path file) {
        return file.toString().endsWith(EntryWriter.BESIDE);
    }

    private long latestToRemove(long wanted) {
        long sum = 0;
        for (Map.Entry<Long, Long> second : bytesBySecond.entrySet()) {
            sum += second.getValue();
            if (sum >= wanted) {
                return second.getKey();
            }
        }
        return Long.MAX_VALUE;
    }

    private void visit(Visitor visitor) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (Path folder : folders) {
                visit(folder, visitor);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void visit(Path folder, Visitor visitor) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (!mayGoOn.getAsBoolean()) {
                    return;
                }
                visitFile(file, visitor);
            }
        }
    }

    private static void visitFile(Path file, Visitor visitor) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isRegularFile()) {
                visitor.visit(file, attributes);
            }
        } catch (IOException _) {
            // It has vanished, or is not ours.
        }
    }

    /** Java does not tell how many blocks of the disk a file has; the table does. */
    private static long bytesOf(Path file, BasicFileAttributes attributes) throws IOException {
        long size = EntryHeader.blockEnd(attributes.size());
        if (size <= DENSE_BYTES_MAX) {
            return size;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Optional<EntryHeader> header = EntryWriter.readHeader(channel);
            return header.isEmpty() ? size : Math.min(size, bytesOf(channel, header.get()));
        }
    }

    private static long bytesOf(FileChannel file, EntryHeader header) throws IOException {
        ByteBuffer part =
                ByteBuffer.allocateDirect(TABLE_PART_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long blocks = 1;
        long end = EntryHeader.checkAt(header.blocks());
        for (long at = EntryHeader.checkAt(0); at < end; at += TABLE_PART_BYTES) {
            part.clear().limit((int) Math.min(TABLE_PART_BYTES, end - at));
            int read = file.read(part, at);
            int present = 0;
            for (int i = 0; i + EntryHeader.CHECK_BYTES <= read; i += EntryHeader.CHECK_BYTES) {
                present += part.getInt(i) == BlockCheck.ABSENT ? 0 : 1;
            }
            int ofTable = Math.ceilDiv(part.limit(), EntryHeader.BLOCK_BYTES);
            blocks += present + (present == 0 ? 0 : ofTable);
        }
        return blocks * EntryHeader.BLOCK_BYTES;
    }
}
