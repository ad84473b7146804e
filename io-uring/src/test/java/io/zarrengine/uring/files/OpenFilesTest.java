package io.zarrengine.uring.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the limit shared by the caches of a process: an array that is read often must not block the
 * others.
 */
@Timeout(60)
final class OpenFilesTest {
    private static final Duration NEVER = Duration.ofDays(100_000);

    @TempDir Path folder;
    private LimitedSource source;

    @AfterEach
    void close() {
        source.close();
    }

    private FileCache cache(int filesMax, OpenFiles together) {
        return new FileCache(source, filesMax, NEVER, together);
    }

    private void open(FileCache cache, String prefix, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            cache.open(Files.write(folder.resolve(prefix + i), new byte[i])).release();
        }
    }

    @Test
    void theLargestCacheGivesUpItsOldest() throws Exception {
        source = new LimitedSource(100);
        OpenFiles together = new OpenFiles(10);
        try (FileCache large = cache(100, together);
                FileCache small = cache(100, together)) {
            open(large, "large", 8);
            open(small, "small", 3);
            assertEquals(7, large.size());
            assertEquals(3, small.size());
            open(small, "more", 20);
            assertEquals(5, large.size());
            assertEquals(5, small.size());
            assertEquals(10, source.openFiles());
            open(large, "large", 1);
            assertEquals(2, source.opens("large0"), "it was the oldest");
        }
        assertEquals(0, source.openFiles(), "leaked");
    }

    @Test
    void aClosedCacheCountsForNothing() throws Exception {
        source = new LimitedSource(100);
        OpenFiles together = new OpenFiles(10);
        try (FileCache closed = cache(100, together)) {
            open(closed, "closed", 10);
        }
        try (FileCache cache = cache(100, together)) {
            open(cache, "file", 10);
            cache.forget(folder.resolve("file0"));
            open(cache, "another", 1);
            assertEquals(10, cache.size());
            assertEquals(0, cache.counters().evictions());
        }
    }

    /** A short lack of descriptors must not limit the cache forever. */
    @Test
    void whenDescriptorsAreThereAgainTheCacheGrows() throws Exception {
        source = new LimitedSource(8);
        try (FileCache cache = cache(100, new OpenFiles(100))) {
            open(cache, "file", 9);
            assertTrue(cache.counters().shrinks() >= 1);
            source.allow(50);
            open(cache, "file", 30);
            assertEquals(30, cache.size());
        }
    }

    /** A cache without open files that is never closed must leave nothing behind. */
    @Test
    void aCacheThatKeepsNothingIsForgotten() throws Exception {
        source = new LimitedSource(100);
        OpenFiles together = new OpenFiles(100);
        FileCache forgotten = cache(100, together);
        open(forgotten, "file", 1);
        assertTrue(together.knows(forgotten));
        forgotten.forget(folder.resolve("file0"));
        assertTrue(!together.knows(forgotten));
    }

    /** The remaining descriptors may be fewer than the limit of all caches. */
    @Test
    void withoutDescriptorsAnotherCacheShrinks() throws Exception {
        source = new LimitedSource(8);
        OpenFiles together = new OpenFiles(100);
        try (FileCache first = cache(100, together);
                FileCache second = cache(100, together)) {
            open(first, "first", 8);
            open(second, "second", 1);
            assertEquals(4, first.size());
            assertEquals(1, second.size());
        }
    }

    @Test
    void withNothingToGiveUpTheFailureIsTheCallers() {
        source = new LimitedSource(0);
        OpenFiles together = new OpenFiles(100);
        try (FileCache first = cache(100, together);
                FileCache second = cache(100, together)) {
            assertThrows(FileSystemException.class, () -> open(second, "file", 1));
            assertEquals(0, first.size() + second.size());
        }
    }

    @Test
    void theProcesssLimitIsTheSoftOne() {
        source = new LimitedSource(0);
        String line =
                "Max open files            1024                 524288               files     ";
        assertEquals(1024, Descriptors.max(List.of("Max processes 5 6 processes", line)));
        assertEquals(
                Integer.MAX_VALUE,
                Descriptors.max(List.of(line.replaceFirst("1024     ", "unlimited"))));
        assertTrue(Descriptors.max(List.of()) > 0);
    }
}
