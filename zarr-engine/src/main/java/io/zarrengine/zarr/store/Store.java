package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What holds hierarchies: the file system, or a zip file. Paths are absolute; those of a zip file
 * go on with the names inside of it, {@code /data/cells.zarr.zip/0/zarr.json}. Threads: any.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/stores/index.html">stores</a>
 */
public sealed interface Store permits FolderStore, ZipStore {
    /** Opens a file, retained for the caller. */
    @FunctionalInterface
    interface FileOpener {
        /**
         * {@return a file}
         *
         * @param path of the file system
         * @throws IOException if there is none, or it cannot be opened
         */
        FileHandle open(Path path) throws IOException;
    }

    /**
     * {@return the store of a path: a zip file, if the path leads to one or into one}
     *
     * @param path absolute
     * @param backend reads files
     * @throws StoreException if a zip file cannot be read
     */
    static Store of(Path path, ReadBackend backend) {
        Path there = path; // the first of its parents that is there
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (there == null || !Files.isRegularFile(there)) {
            return FolderStore.INSTANCE;
        }
        Optional<ZipStore> zip = ZipStore.tryOpen(there, backend);
        return zip.isPresent() ? zip.get() : FolderStore.INSTANCE;
    }

    /**
     * {@return whether anything is at a path}
     *
     * @param path any
     */
    boolean exists(Path path);

    /**
     * {@return whether a path leads to a file}
     *
     * @param path any
     */
    boolean isFile(Path path);

    /**
     * {@return whether a path leads to a folder}
     *
     * @param path any
     */
    boolean isFolder(Path path);

    /** {@return why nodes cannot be written here; empty if they can} */
    Optional<String> unwritable();

    /**
     * {@return the text of a metadata document; empty if there is none}
     *
     * @param document its file
     * @throws StoreException if it cannot be read, or is too large
     */
    Optional<byte[]> document(Path document);

    /**
     * {@return what lies directly in a folder}
     *
     * @param folder which is there
     * @param max how many at most
     * @throws StoreException if it cannot be listed
     */
    List<Path> entries(Path folder, long max);

    /**
     * {@return how much an array takes}
     *
     * @param array its folder
     * @param isChunk whether a path, relative to the array and with slashes, is a chunk's key
     * @throws StoreException if it cannot be listed
     */
    ChunkFileSizes sizes(Path array, Predicate<String> isChunk);

    /**
     * {@return where a chunk is, its file retained for the caller; empty if it was never written}
     *
     * @param chunk its file, in a folder
     * @param files opens the file that holds it
     * @throws IOException if it is there and cannot be opened
     */
    Optional<ChunkLocation> chunk(Path chunk, FileOpener files) throws IOException;
}
