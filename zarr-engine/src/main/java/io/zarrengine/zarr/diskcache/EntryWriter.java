package io.zarrengine.zarr.diskcache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes blocks to the file of an object. The blocks are written before their checks, so an
 * incomplete block has no check, or one that does not match. A file never has another version of
 * the object: a new file replaces it.
 */
final class EntryWriter {
    /** The end of the name of a file that is not in its place yet. */
    static final String BESIDE = ".part";

    private static final long BUFFER_BYTES = 1L << 30;

    /** Another process creates or removes the file at the same time. */
    private static final int ATTEMPTS_MAX = 4;

    private final Path path;
    private final EntryHeader header;
    private boolean isCreated;

    /** {@code header}: of the version that was read, confirmed now. */
    EntryWriter(Path path, EntryHeader header) {
        this.path = path;
        this.header = header;
    }

    /**
     * Writes blocks.
     *
     * @return the bytes of the disk that this took at most
     * @param from their offset in the object, at the begin of a block
     * @param bytes whole blocks; only the last one of the object may be short
     */
    long write(long from, MemorySegment bytes) throws IOException {
        try (FileChannel file = open()) {
            for (long at = 0; at < bytes.byteSize(); at += BUFFER_BYTES) {
                long length = Math.min(BUFFER_BYTES, bytes.byteSize() - at);
                ByteBuffer part = bytes.asSlice(at, length).asByteBuffer();
                writeAll(file, part, header.dataAt(from + at));
            }
            int[] checks = new BlockCheck().of(bytes);
            ByteBuffer table =
                    ByteBuffer.allocate(checks.length * EntryHeader.CHECK_BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN);
            table.asIntBuffer().put(checks);
            writeAll(file, table, EntryHeader.checkAt(from / EntryHeader.BLOCK_BYTES));
            long ofTable = isCreated ? EntryHeader.BLOCK_BYTES + table.capacity() : 0;
            return EntryHeader.blockEnd(bytes.byteSize()) + EntryHeader.blockEnd(ofTable);
        }
    }

    /** Notes that the version is the current one, if the file has this version. */
    void confirm() {
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (isOurs(file)) {
                noteConfirmed(file);
            }
        } catch (IOException _) {
            // Then its server is asked again.
        }
    }

    private static void writeAll(FileChannel file, ByteBuffer bytes, long at) throws IOException {
        long next = at;
        while (bytes.hasRemaining()) {
            next += file.write(bytes, next);
        }
    }

    private FileChannel open() throws IOException {
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            Optional<FileChannel> file = tryOpen();
            if (file.isPresent()) {
                return file.get();
            }
        }
        throw new FileSystemException(path.toString(), null, "others create and remove it");
    }

    private Optional<FileChannel> tryOpen() throws IOException {
        FileChannel file;
        try {
            file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            return create(false);
        }
        boolean isOurs = false;
        try {
            isOurs = isOurs(file);
        } finally {
            if (!isOurs) {
                file.close();
            }
        }
        return isOurs ? Optional.of(file) : create(true);
    }

    private boolean isOurs(FileChannel file) throws IOException {
        return readHeader(file).filter(there -> there.isOf(header)).isPresent();
    }

    private void noteConfirmed(FileChannel file) throws IOException {
        ByteBuffer confirmation = EntryHeader.confirmation(header.confirmedMillis());
        writeAll(file, confirmation, EntryHeader.CONFIRMED_AT);
    }

    /** {@return the header of a file; empty if it is damaged} */
    static Optional<EntryHeader> readHeader(FileChannel file) throws IOException {
        byte[] bytes = new byte[EntryHeader.BLOCK_BYTES];
        ByteBuffer first = ByteBuffer.wrap(bytes);
        while (first.hasRemaining() && file.read(first, first.position()) > 0) {
            // The rest is read next.
        }
        return first.hasRemaining() ? Optional.empty() : EntryHeader.parse(bytes);
    }

    /** Creates the file; empty if another process did at the same time. */
    private Optional<FileChannel> create(boolean replaces) throws IOException {
        DiskCache.createFolders(path.getParent());
        Path beside = path.resolveSibling(path.getFileName() + "." + UUID.randomUUID() + BESIDE);
        FileChannel file =
                FileChannel.open(
                        beside,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        boolean isPlaced = false;
        try {
            writeAll(file, header.encode(), 0);
            isPlaced = place(beside, replaces);
        } finally {
            if (!isPlaced) {
                file.close();
            }
            Files.deleteIfExists(beside);
        }
        isCreated = isPlaced;
        return isPlaced ? Optional.of(file) : Optional.empty();
    }

    /** Unlike a move, a link keeps a file that is there; not every file system has links. */
    private boolean place(Path beside, boolean replaces) throws IOException {
        if (!replaces) {
            try {
                Files.createLink(path, beside);
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            } catch (FileSystemException | UnsupportedOperationException _) {
                // It is moved.
            }
        }
        Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
        return true;
    }
}
