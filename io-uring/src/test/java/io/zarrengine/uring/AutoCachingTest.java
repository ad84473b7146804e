package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the choices of {@link Caching#AUTO}. */
final class AutoCachingTest {
    @TempDir Path root;

    private static FileVersion file(int number, long bytes) {
        return new FileVersion("1:" + number, bytes, 0, 0);
    }

    @Test
    void filesOfADataSetAreAddedUpEachOnce() {
        RecentFiles recent = new RecentFiles();
        long now = System.nanoTime();
        assertEquals(10, recent.opened(file(1, 10), now));
        assertEquals(30, recent.opened(file(2, 20), now));
        assertEquals(30, recent.opened(file(1, 10), now));
        assertEquals(35, recent.opened(file(1, 15), now), "it has grown");
    }

    @Test
    void whatWasOpenedLongAgoIsForgotten() {
        RecentFiles recent = new RecentFiles();
        long second = 1_000_000_000L;
        long now = System.nanoTime();
        recent.opened(file(1, 10), now);
        assertEquals(30, recent.opened(file(2, 20), now + 16 * second));
        assertEquals(30, recent.opened(file(1, 10), now + 17 * second), "once, in either half");
        assertEquals(70, recent.opened(file(3, 40), now + 32 * second));
        assertEquals(50, recent.opened(file(1, 10), now + 48 * second));
        assertEquals(10, recent.opened(file(1, 10), now + 100 * second));
    }

    @Test
    void millionsOfFilesTakeLittleMemory() {
        RecentFiles recent = new RecentFiles();
        long now = System.nanoTime();
        long counted = 0;
        for (int i = 0; i < 3 * RecentFiles.GENERATION_FILES_MAX; i++) {
            counted = recent.opened(file(i, 1), now);
        }
        assertEquals(2 * RecentFiles.GENERATION_FILES_MAX, counted);
    }

    private void write(String file, String content) throws Exception {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    /**
     * Version 2, version 1, a group that is not visible, a parent group with a lower limit, no
     * group.
     */
    @ParameterizedTest
    @CsvSource({
        "0::/a/b,                 sys/fs/cgroup/a/b/memory.max,                         5000, 5000",
        "4:memory:/a,             sys/fs/cgroup/memory/a/memory.limit_in_bytes,         5000, 5000",
        "0::/not/visible,         sys/fs/cgroup/memory.max,                             5000, 5000",
        "0::/a/b,                 sys/fs/cgroup/a/memory.max,                           5000, 5000",
        "0::/a,                   sys/fs/cgroup/a/memory.max,                           max, 102400",
        "3:cpu:/a,                sys/fs/cgroup/a/memory.max,                           5000, 102400",
        "0::/a,                   sys/fs/cgroup/a/memory.max,                   999999, 102400",
    })
    void theSmallestLimitCounts(String group, String file, String limit, long expected)
            throws Exception {
        write("proc/meminfo", "MemTotal:  999 kB\nMemAvailable:     100 kB\n");
        write("proc/self/cgroup", group + "\n");
        write(file, limit + "\n");
        assertEquals(expected, new CacheMemory(root).bytes());
    }

    @Test
    void withoutProcNothingIsKnown() {
        assertEquals(Long.MAX_VALUE, new CacheMemory(root.resolve("missing")).bytes());
        assertTrue(new CacheMemory(Path.of("/")).bytes() > 1 << 20);
    }
}
