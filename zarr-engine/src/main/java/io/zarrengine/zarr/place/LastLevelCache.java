package io.zarrengine.zarr.place;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The size of a CPU's largest cache, read from {@code /sys} of Linux. */
final class LastLevelCache {
    private static final Path CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");

    private LastLevelCache() {}

    /** {@return the size in bytes; empty if unknown} */
    static OptionalLong byteSize() {
        return byteSize(CACHES);
    }

    /**
     * {@code caches} has a folder for each cache, with a file that holds its size, such as {@code
     * 32768K}.
     */
    static OptionalLong byteSize(Path caches) {
        try (Stream<Path> folders = Files.list(caches)) {
            return folders.map(folder -> folder.resolve("size"))
                    .filter(Files::isReadable)
                    .flatMapToLong(LastLevelCache::sizeIn)
                    .max();
        } catch (IOException | UncheckedIOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static LongStream sizeIn(Path file) {
        try {
            String size = Files.readString(file).strip();
            int shift = size.endsWith("K") ? 10 : size.endsWith("M") ? 20 : 0;
            String digits = shift == 0 ? size : size.substring(0, size.length() - 1);
            return LongStream.of(Long.parseLong(digits) << shift);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
