package io.zarrengine.bench.compare;

import io.zarrengine.bench.arrays.BenchArray;
import io.zarrengine.bench.arrays.NoisyField;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;

/** Creates the arrays of a comparison in a folder, where they stay for later runs. */
public final class ArrayGenerator {
    private final Path folder;
    private final WorkerCommands programs;

    ArrayGenerator(Path folder, WorkerCommands programs) {
        this.folder = folder;
        this.programs = programs;
    }

    /** {@return the folder of an array that is made if it is missing; by the engine alone} */
    public static Path made(Path folder, BenchArray array)
            throws IOException, InterruptedException {
        ArrayGenerator arrays = new ArrayGenerator(folder, null);
        arrays.makeMissing(List.of(array));
        return arrays.path(array);
    }

    /** {@return the folder of an array, existing or not} */
    Path path(BenchArray array) {
        return folder.resolve(array.folder());
    }

    /** Creates the missing arrays. */
    void makeMissing(Collection<BenchArray> arrays) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        for (BenchArray array : arrays) {
            if (!Files.exists(path(array))) {
                make(array);
            }
        }
    }

    /**
     * Creates an array under another name and renames it, so that an existing array is complete.
     */
    private void make(BenchArray array) throws IOException, InterruptedException {
        IO.println("making " + path(array));
        Path part = folder.resolve(array.folder() + ".part");
        delete(part);
        if (array.encoding().isWrittenByTheEngine()) {
            write(array, part);
        } else {
            encode(array, part);
        }
        Files.move(part, path(array), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(BenchArray array, Path path) {
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(path, array.metadata()).writeAll(new NoisyField(array));
        }
    }

    private void encode(BenchArray array, Path path) throws IOException, InterruptedException {
        makeMissing(List.of(array.uncompressed()));
        Process encoder =
                new ProcessBuilder(
                                programs.python(
                                        "encode_blosc.py",
                                        path(array.uncompressed()).toString(),
                                        path.toString()))
                        .inheritIO()
                        .start();
        if (encoder.waitFor() != 0) {
            throw new IOException("encode_blosc.py did not write " + path);
        }
    }

    private static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        Files.walkFileTree(
                path,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                            throws IOException {
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
