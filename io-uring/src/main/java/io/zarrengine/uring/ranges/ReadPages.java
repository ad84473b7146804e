package io.zarrengine.uring.ranges;

import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The memory that a worker reads into, in runs of pages. The first run that fits is taken, so that
 * few bytes in flight stay in the cache. Each run begins at a page: direct reads need that.
 *
 * <p>Owner: one worker. Lent to the kernel: each run, from its read until its completion.
 */
final class ReadPages implements AutoCloseable {
    private static final int PAGE_BYTES = 4096;

    private final NativeMemory memory;
    private final MemorySegment pages;
    private final int count;
    private final BitSet used = new BitSet();
    private long usedBytes;

    ReadPages(long bytes) {
        // With native access this is mapped, and begins at a page; a page more would cost the last
        // huge page. Without it every file is buffered, and reads may begin anywhere.
        memory = NativeMemory.allocate(bytes);
        pages = memory.segment();
        count = Math.toIntExact(bytes / PAGE_BYTES);
    }

    /** {@return all of it, to register with the kernel} */
    MemorySegment segment() {
        return pages;
    }

    long usedBytes() {
        return usedBytes;
    }

    /** {@return where a run of at least {@code bytes} begins, or -1 if there is none now} */
    long take(long bytes) {
        int wanted = pagesOf(bytes);
        int from = used.nextClearBit(0);
        while (from + wanted <= count) {
            int end = used.nextSetBit(from);
            if (end < 0 || end - from >= wanted) {
                used.set(from, from + wanted);
                usedBytes += (long) wanted * PAGE_BYTES;
                return (long) from * PAGE_BYTES;
            }
            from = used.nextClearBit(end);
        }
        return -1;
    }

    /** Gives back what {@link #take} gave. */
    void free(long offset, long bytes) {
        int from = (int) (offset / PAGE_BYTES);
        int freed = pagesOf(bytes);
        used.clear(from, from + freed);
        usedBytes -= (long) freed * PAGE_BYTES;
    }

    private static int pagesOf(long bytes) {
        return Math.toIntExact(Math.ceilDiv(bytes, PAGE_BYTES));
    }

    @Override
    public void close() {
        memory.close();
    }
}
