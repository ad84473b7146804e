package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * The number and sizes of an array's chunk files. Files that no rule names a chunk by, of any grid
 * of as many dimensions, are not counted. Nor are files again that two linked folders share.
 *
 * @param files number of files
 * @param bytes sum of their sizes in bytes
 * @param others number of files that are no chunks of this array
 * @param deflated number of files that a zip file compresses
 */
public record ChunkFileSizes(long files, long bytes, long others, long deflated) {
    /** Sums up files. Owner: one thread. */
    static final class Sum {
        private final int rank;
        private final Predicate<String> isChunk;
        private long files;
        private long bytes;
        private long others;
        private long deflated;

        /**
         * Creates an empty sum.
         *
         * @param rank number of dimensions
         * @param isChunk whether a path, relative to the array and with slashes, is a chunk key
         */
        Sum(int rank, Predicate<String> isChunk) {
            this.rank = rank;
            this.isChunk = isChunk;
        }

        void add(String path, long size, boolean isDeflated) {
            if (!isChunk.test(path)) {
                if (ChunkKeyEncoding.ALL.stream().noneMatch(keys -> keys.isKeyOfRank(path, rank))) {
                    return;
                }
                others++;
            }
            files++;
            bytes += size;
            if (isDeflated) {
                deflated++;
            }
        }

        ChunkFileSizes get() {
            return new ChunkFileSizes(files, bytes, others, deflated);
        }
    }

    /**
     * {@return the current sizes}
     *
     * @param array the array's folder
     * @param rank number of dimensions
     * @param isChunk whether a path, relative to the array and with slashes, is a chunk key
     * @throws StoreException if the folder cannot be listed
     */
    static ChunkFileSizes of(Path array, int rank, Predicate<String> isChunk) {
        Sum sum = new Sum(rank, isChunk);
        try {
            ChunkFileVisitor.visit(
                    array,
                    ChunkKeyEncoding.ALL,
                    rank,
                    ChunkFileVisitor.Links.FOLLOWED, // as reads do
                    (path, attributes) -> sum.add(path, attributes.size(), false));
        } catch (IOException e) {
            throw StoreException.of(array.toString(), e);
        }
        return sum.get();
    }
}
