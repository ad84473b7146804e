package io.zarrengine.zarr.place;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes of caches as Linux lists them, with missing entries. */
final class LastLevelCacheTest {
    @TempDir Path caches;

    private void add(String name, String size) throws IOException {
        Path folder = Files.createDirectory(caches.resolve(name));
        Files.writeString(folder.resolve("size"), size + "\n");
    }

    @Test
    void isTheLargestCache() throws IOException {
        add("index0", "48K");
        add("index2", "2048K");
        add("index3", "307200K");
        Files.createDirectory(caches.resolve("power")); // not a cache
        assertEquals(OptionalLong.of(300 << 20), LastLevelCache.byteSize(caches));
        add("index4", "512M");
        assertEquals(OptionalLong.of(512 << 20), LastLevelCache.byteSize(caches));
    }

    @Test
    void isUnknownWithoutEntries() throws IOException {
        assertEquals(OptionalLong.empty(), LastLevelCache.byteSize(caches));
        assertEquals(OptionalLong.empty(), LastLevelCache.byteSize(caches.resolve("none")));
        add("index0", "unknown");
        assertEquals(OptionalLong.empty(), LastLevelCache.byteSize(caches));
        add("index1", "");
        assertEquals(OptionalLong.empty(), LastLevelCache.byteSize(caches));
    }
}
