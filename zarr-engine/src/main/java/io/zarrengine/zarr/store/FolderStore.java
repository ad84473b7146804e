package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The file system, in which each chunk is a file. */
public final class FolderStore implements Store {
    /** The only instance. */
    public static final FolderStore INSTANCE = new FolderStore();

    private FolderStore() {}

    @Override
    public boolean exists(Path path) {
        return Files.exists(path);
    }

    @Override
    public boolean isFile(Path path) {
        return Files.isRegularFile(path);
    }

    @Override
    public boolean isFolder(Path path) {
        return Files.isDirectory(path);
    }

    @Override
    public Optional<String> unwritable() {
        return Optional.empty();
    }

    @Override
    public Optional<byte[]> document(Path document) {
        return MetadataFiles.read(document);
    }

    @Override
    public List<Path> entries(Path folder, long max) {
        try (Stream<Path> listing = Files.list(folder)) {
            return entries(folder, listing.limit(max));
        } catch (IOException e) {
            throw StoreException.of(folder.toString(), e);
        }
    }

    /** Returns the entries of a listing, which tests may create. */
    static List<Path> entries(Path folder, Stream<Path> listing) {
        try {
            return listing.toList();
        } catch (UncheckedIOException e) { // The folder was opened, but reading its entries failed.
            throw StoreException.of(folder.toString(), e.getCause());
        }
    }

    @Override
    public ChunkFileSizes sizes(Path array, int rank, Predicate<String> isChunk) {
        return ChunkFileSizes.of(array, rank, isChunk);
    }

    @Override
    public Optional<ChunkLocation> chunk(Path chunk, FileOpener files) throws IOException {
        FileHandle file;
        try {
            file = files.open(chunk);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new ChunkLocation(chunk, file, 0, file.byteSize(), Optional.empty()));
        } catch (RuntimeException | Error e) {
            file.release();
            throw e;
        }
    }
}
