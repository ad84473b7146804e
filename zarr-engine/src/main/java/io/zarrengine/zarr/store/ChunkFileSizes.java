package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * How many chunk files an array has, and how large they are. Hidden files and those that a writer
 * has not put in their place yet do not count.
 *
 * @param files how many
 * @param bytes their sizes
 * @param others how many of them have names that are no chunk's
 * @param deflated how many of them a zip file has compressed
 */
public record ChunkFileSizes(long files, long bytes, long others, long deflated) {
    /** Sums files up. Owner: one thread. */
    static final class Sum {
        private final Predicate<String> isChunk;
        private long files;
        private long bytes;
        private long others;
        private long deflated;

        /**
         * Begins with none.
         *
         * @param isChunk whether a path, relative to the array and with slashes, is a chunk's key
         */
        Sum(Predicate<String> isChunk) {
            this.isChunk = isChunk;
        }

        void add(String path, long size, boolean isDeflated) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            boolean isHidden = name.startsWith(".");
            if (isHidden || StoredNode.isDocument(name) || WholeFile.isBeside(name)) {
                return;
            }
            files++;
            bytes += size;
            if (!isChunk.test(path)) {
                others++;
            }
            if (isDeflated) {
                deflated++;
            }
        }

        ChunkFileSizes get() {
            return new ChunkFileSizes(files, bytes, others, deflated);
        }
    }

    /**
     * {@return the sizes now}
     *
     * @param array the array's folder
     * @param isChunk whether a path, relative to the array and with slashes, is a chunk's key
     * @throws StoreException if it cannot be listed
     */
    static ChunkFileSizes of(Path array, Predicate<String> isChunk) {
        Sum sum = new Sum(isChunk);
        try {
            Files.walkFileTree(
                    array,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            if (attributes.isRegularFile()) {
                                sum.add(key(array, file), attributes.size(), false);
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw StoreException.of(array.toString(), e);
        }
        return sum.get();
    }

    /** Joined by slashes, whatever the file system has. */
    private static String key(Path array, Path file) {
        List<String> names = new ArrayList<>();
        array.relativize(file).forEach(name -> names.add(name.toString()));
        return String.join("/", names);
    }
}
