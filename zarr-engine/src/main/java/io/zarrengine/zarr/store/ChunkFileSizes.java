package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * How many chunk files an array has, and how large they are.
 *
 * @param files how many
 * @param bytes their sizes
 */
public record ChunkFileSizes(long files, long bytes) {
    /**
     * {@return the sizes now}
     *
     * @param array the array's folder
     * @throws StoreException if it cannot be listed
     */
    public static ChunkFileSizes of(Path array) {
        long[] sums = new long[2];
        try {
            Files.walkFileTree(
                    array,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            if (attributes.isRegularFile()
                                    && !StoredNode.isDocument(file.toString())) {
                                sums[0]++;
                                sums[1] += attributes.size();
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw StoreException.of(array.toString(), e);
        }
        return new ChunkFileSizes(sums[0], sums[1]);
    }
}
