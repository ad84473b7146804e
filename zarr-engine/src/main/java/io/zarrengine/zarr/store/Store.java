package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A container of hierarchies: the file system, a zip file or an object store. Paths are absolute.
 * The path of an entry of a zip file is the path of the zip file, followed by the entry's name:
 * {@code /data/cells.zarr.zip/0/zarr.json}. Threads: any.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/stores/index.html">Zarr v3,
 *     stores</a>
 */
public interface Store {
    /** Opens files, retained for the caller. */
    @FunctionalInterface
    interface FileOpener {
        /**
         * {@return the open file}
         *
         * @param path a path of the file system
         * @throws IOException if it does not exist, or cannot be opened
         */
        FileHandle open(Path path) throws IOException;
    }

    /**
     * {@return whether anything is at a path}
     *
     * @param path any path
     */
    boolean exists(Path path);

    /**
     * {@return whether a path is a file}
     *
     * @param path any path
     */
    boolean isFile(Path path);

    /**
     * {@return whether a path is a folder}
     *
     * @param path any path
     */
    boolean isFolder(Path path);

    /** {@return the reason why nodes cannot be written to this store; empty if they can} */
    Optional<String> unwritable();

    /**
     * {@return the text of a metadata document; empty if it does not exist}
     *
     * @param document its file
     * @throws StoreException if it cannot be read, or is too large
     */
    Optional<byte[]> document(Path document);

    /**
     * {@return the direct entries of a folder}
     *
     * @param folder an existing folder
     * @param max maximum number of entries
     * @throws StoreException if the folder cannot be listed
     */
    List<Path> entries(Path folder, long max);

    /**
     * {@return the number and sizes of an array's chunk files}
     *
     * @param array its folder
     * @param rank number of dimensions
     * @param isChunk whether a path, relative to the array and with slashes, is a chunk key
     * @throws StoreException if the folder cannot be listed
     */
    ChunkFileSizes sizes(Path array, int rank, Predicate<String> isChunk);

    /**
     * {@return the location of a chunk, with its file retained for the caller; empty if it was
     * never written}
     *
     * @param chunk the path of the chunk
     * @param files opens the file that holds it
     * @throws IOException if it exists and cannot be opened
     */
    Optional<ChunkLocation> chunk(Path chunk, FileOpener files) throws IOException;

    /**
     * {@return the chunks of an array in objects; null if they are in files, which {@link #chunk}
     * opens}
     *
     * @param array its path
     */
    default ChunkObjects objects(Path array) {
        return null;
    }
}
