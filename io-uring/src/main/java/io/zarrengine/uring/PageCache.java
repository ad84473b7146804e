package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.LibC;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@link Caching#AUTO} asks the operating system. */
final class PageCache {
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";

    /** Windows of a file that are looked at: a question for a whole file of 8 GiB takes 50 ms. */
    private static final int WINDOWS = 16;

    private static final long WINDOW_BYTES = 64 << 10; // 1 us each
    private static final long PAGE_BYTES = 4096;
    private static final long CACHESTAT_RANGE_BYTES = 2 * Long.BYTES;
    private static final long CACHESTAT_BYTES = 5 * Long.BYTES;

    private PageCache() {}

    /** {@return whether a file that is going to be read should be read directly} */
    static boolean isBypassedFor(MemorySegment callState, int descriptor, long fileBytes) {
        return fileBytes > availableBytes() / 2
                && residentFraction(callState, descriptor, fileBytes) < 0.5;
    }

    /**
     * {@return how much of a file is in the page cache, by a sample; 0 if the kernel cannot say}
     */
    static double residentFraction(MemorySegment callState, int descriptor, long fileBytes) {
        long pages = 0;
        long resident = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment range = arena.allocate(CACHESTAT_RANGE_BYTES, Long.BYTES);
            MemorySegment counts = arena.allocate(CACHESTAT_BYTES, Long.BYTES);
            long step = Math.max(fileBytes / WINDOWS / PAGE_BYTES * PAGE_BYTES, WINDOW_BYTES);
            for (long offset = 0; offset < fileBytes; offset += step) {
                long bytes = Math.min(WINDOW_BYTES, fileBytes - offset);
                range.set(JAVA_LONG, 0, offset);
                range.set(JAVA_LONG, Long.BYTES, bytes);
                if (LibC.cachestat(callState, descriptor, range, counts) < 0) {
                    return 0;
                }
                pages += Math.ceilDiv(bytes, PAGE_BYTES);
                resident += counts.get(JAVA_LONG, 0);
            }
        }
        return pages == 0 ? 0 : (double) resident / pages;
    }

    /**
     * {@return memory that new content may take without swapping; {@code Long.MAX_VALUE} unknown}
     */
    static long availableBytes() {
        try {
            return Files.readAllLines(MEMORY).stream()
                    .filter(line -> line.startsWith(AVAILABLE))
                    .map(line -> line.substring(AVAILABLE.length()).replace("kB", "").strip())
                    .mapToLong(kibibytes -> Long.parseLong(kibibytes) << 10)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
        } catch (IOException | NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
