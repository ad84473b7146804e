package io.zarrengine.zarr.write;

import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import io.zarrengine.zarr.store.AtomicFile;
import io.zarrengine.zarr.store.ChunkFileVisitor;
import io.zarrengine.zarr.store.ChunkFileVisitor.Links;
import io.zarrengine.zarr.store.LeftoverFiles;
import io.zarrengine.zarr.store.OpenChunkFiles;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * Chunks in files. A file appears complete or not at all, because it is written to a temporary file
 * and then moved into place. Temporary files of killed writers are deleted.
 */
public final class FileChunkTarget implements ChunkTarget {
    private static final long PART_BYTES_MAX = 1L << 30;

    private final Path folder;
    private final OpenChunkFiles open;
    private final LeftoverFiles left = new LeftoverFiles();

    /**
     * Creates a target.
     *
     * @param folder of the array
     * @param open the files of arrays, which then read what was written
     */
    public FileChunkTarget(Path folder, OpenChunkFiles open) {
        this.folder = folder;
        this.open = open;
    }

    /** {@return the folder of the array} */
    public Path folder() {
        return folder;
    }

    @Override
    public void put(String key, MemorySegment encoded) throws IOException {
        Path file = folder.resolve(key);
        AtomicFile.write(
                file, left, beside -> write(beside, encoded), beside -> place(beside, file));
        refresh(key);
    }

    /**
     * Moves a file into place. Its time is set because that of Linux before 6.13 has steps of some
     * milliseconds, in which a new file may have the inode, the size and the time of the one that
     * was replaced; caches would take them for the same version.
     */
    private static void place(Path beside, Path file) throws IOException {
        Files.setLastModifiedTime(beside, FileTime.from(Instant.now()));
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(Path beside, MemorySegment bytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(beside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long at = 0; at < bytes.byteSize(); at += PART_BYTES_MAX) {
                long part = Math.min(PART_BYTES_MAX, bytes.byteSize() - at);
                ByteBuffer buffer = bytes.asSlice(at, part).asByteBuffer();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        }
    }

    @Override
    public void remove(String key) throws IOException {
        Files.deleteIfExists(folder.resolve(key));
        refresh(key);
    }

    /**
     * Removes the files of chunks, also of those that no grid of this array has.
     *
     * @param keys how chunks are named
     * @param rank number of dimensions
     * @param isRemoved whether the chunk of a key is removed
     * @throws IOException if that fails; some may be removed
     */
    public void removeIf(ChunkKeyEncoding keys, int rank, Predicate<String> isRemoved)
            throws IOException {
        ChunkFileVisitor.visit(
                folder,
                List.of(keys),
                rank,
                Links.FOLLOWED, // The chunks may be on another disk.
                (key, _) -> {
                    if (isRemoved.test(key)) {
                        remove(key);
                    }
                });
    }

    /**
     * Removes the files of all chunks. Symbolic links are removed themselves: what they lead to may
     * be another array's.
     *
     * @param keys how chunks are named
     * @param rank number of dimensions
     * @throws IOException if that fails; some may be removed
     */
    public void clear(ChunkKeyEncoding keys, int rank) throws IOException {
        List<ChunkKeyEncoding> known = List.of(keys);
        // Arrays that are open know the files behind a link by their keys.
        ChunkFileVisitor.visit(folder, known, rank, Links.FOLLOWED, (key, _) -> refresh(key));
        ChunkFileVisitor.visit(folder, known, rank, Links.TAKEN, (path, _) -> remove(path));
    }

    @Override
    public void refresh(String key) {
        open.forget(folder.resolve(key));
    }

    @Override
    public String name(String key) {
        return folder.resolve(key).toString();
    }
}
