package io.zarrengine.uring;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.LibC;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Queries the kernel about the page cache. */
final class PageCache {
    /** Windows of a file in the sample. A query for a whole file of 8 GiB takes 50 ms. */
    private static final int WINDOWS = 16;

    private static final long WINDOW_BYTES = 64 << 10; // 1 us each
    private static final long PAGE_BYTES = 4096;
    private static final long CACHESTAT_RANGE_BYTES = 2 * Long.BYTES;
    private static final long CACHESTAT_BYTES = 5 * Long.BYTES;

    private PageCache() {}

    /**
     * {@return the fraction of a file that is in the page cache, by a sample; 0 if the kernel
     * cannot report it}
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
}
