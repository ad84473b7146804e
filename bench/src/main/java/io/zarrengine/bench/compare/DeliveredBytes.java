package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares the bytes delivered by contenders with those of one of them. The bytes are in files, in
 * memory if the system has a folder for that.
 *
 * <p>Owner: the comparison. Threads: one.
 */
final class DeliveredBytes implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Twice the delivered bytes of the largest row. A container may have much less. */
    private static final long MEMORY_BYTES_MIN = 5L << 30;

    private final Way reference;
    private final Path folder;
    private final Path actual;
    private final Map<Integer, Path> expected = new HashMap<>(); // by the number of crops

    /**
     * Creates a comparison.
     *
     * @param reference the way whose bytes are right
     */
    DeliveredBytes(Way reference) throws IOException {
        this.reference = reference;
        String prefix = "zarr-engine-bench";
        boolean hasMemory =
                Files.isWritable(MEMORY)
                        && Files.getFileStore(MEMORY).getUsableSpace() >= MEMORY_BYTES_MIN;
        folder =
                hasMemory
                        ? Files.createTempDirectory(MEMORY, prefix)
                        : Files.createTempDirectory(prefix);
        actual = folder.resolve("actual");
    }

    /**
     * Compares the first {@code crops} crops, all for 0.
     *
     * @throws IOException if the bytes differ
     */
    void compare(Way way, int crops) throws IOException {
        Path right = expected(crops);
        way.worker().write(way.name(), crops, actual);
        long difference = Files.mismatch(right, actual);
        if (difference >= 0) {
            throw new IOException(
                    "%s delivers other bytes than %s: %d and %d of them, and not the same at %d"
                            .formatted(
                                    way.name(),
                                    reference.name(),
                                    Files.size(actual),
                                    Files.size(right),
                                    difference));
        }
    }

    private Path expected(int crops) throws IOException {
        Path right = expected.get(crops);
        if (right == null) {
            right = folder.resolve("expected-" + crops);
            expected.put(crops, right);
            reference.worker().write(reference.name(), crops, right);
        }
        return right;
    }

    @Override
    public void close() throws IOException {
        for (Path file : expected.values()) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(actual);
        Files.deleteIfExists(folder);
    }
}
