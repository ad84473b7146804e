package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * The number and sizes of an array's chunk files. Hidden files, and files that a writer has not
 * moved into place yet, are not counted.
 *
 * @param files number of files
 * @param bytes sum of their sizes in bytes
 * @param others number of files whose names are not chunk keys
 * @param deflated number of files that a zip file compresses
 */
public record ChunkFileSizes(long files, long bytes, long others, long deflated) {
    /** Sums up files. Owner: one thread. */
    static final class Sum {
        private final Predicate<String> isChunk;
        private long files;
        private long bytes;
        private long others;
        private long deflated;

        /**
         * Creates an empty sum.
         *
         * @param isChunk whether a path, relative to the array and with slashes, is a chunk key
         */
        Sum(Predicate<String> isChunk) {
            this.isChunk = isChunk;
        }

        void add(String path, long size, boolean isDeflated) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            boolean isHidden = name.startsWith(".");
            if (isHidden || DocumentNames.contain(name) || AtomicFile.isBeside(name)) {
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
     * {@return the current sizes}
     *
     * @param array the array's folder
     * @param isChunk whether a path, relative to the array and with slashes, is a chunk key
     * @throws StoreException if the folder cannot be listed
     */
    static ChunkFileSizes of(Path array, Predicate<String> isChunk) {
        Sum sum = new Sum(isChunk);
        try {
            Files.walkFileTree(
                    array,
                    EnumSet.of(FileVisitOption.FOLLOW_LINKS), // as reads do
                    Integer.MAX_VALUE,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            if (attributes.isRegularFile()) {
                                sum.add(key(array, file), attributes.size(), false);
                            }
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException e)
                                throws IOException {
                            if (e instanceof FileSystemLoopException) {
                                return FileVisitResult.CONTINUE;
                            }
                            throw e;
                        }
                    });
        } catch (IOException e) {
            throw StoreException.of(array.toString(), e);
        }
        return sum.get();
    }

    /** Returns the relative path, joined by slashes on every file system. */
    private static String key(Path array, Path file) {
        List<String> names = new ArrayList<>();
        array.relativize(file).forEach(name -> names.add(name.toString()));
        return String.join("/", names);
    }
}
