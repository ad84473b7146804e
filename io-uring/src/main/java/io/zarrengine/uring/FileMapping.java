package io.zarrengine.uring;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibCMemory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All of a file, mapped, and which of its pages were seen in memory of late. To ask for each part
 * took 10 to 20 % of the time of copying it; what leaves memory right after it was seen there costs
 * who touches it a page fault.
 *
 * <p>Owner: the open file. Threads: any.
 */
final class FileMapping implements AutoCloseable {
    /** Pages that are asked for at once: a window. */
    static final int WINDOW_PAGES = Long.SIZE;

    private static final long WINDOW_BYTES = (long) WINDOW_PAGES * LibCMemory.getpagesize();
    private static final int FRESH_MILLIS_MIN = 100;
    private static final int FRESH_MILLIS_MAX = 1600;

    /** What is remembered of windows may take this of the heap: of 1 GiB enough for 350 GiB. */
    private static final long WINDOWS_MAX =
            Math.min(
                    Runtime.getRuntime().maxMemory() / 64 / (Long.BYTES + Integer.BYTES),
                    Integer.MAX_VALUE / 2);

    private static final AtomicLong allWindows = new AtomicLong();

    private final MappedFile file;

    // How long pages are taken to be in memory that were seen there: twice as long as others have
    // been found to stay. Threads overwrite each other, here and below: then one asks again, or
    // trusts for longer.
    private int freshMillis = FRESH_MILLIS_MIN;

    // Of each window:
    private final long[] pages; // a bit for each page that was in memory
    private final int[] seenMillis;

    private FileMapping(int descriptor, long byteSize) throws ErrnoException {
        int windows = (int) windows(byteSize); // fewer than WINDOWS_MAX
        this.pages = new long[windows];
        this.seenMillis = new int[windows];
        this.file = MappedFile.open(descriptor, byteSize); // The last that can fail.
    }

    /** {@return a file, mapped; empty if the kernel or our limits do not allow it} */
    static Optional<FileMapping> tryOpen(int descriptor, long byteSize) {
        long windows = allWindows.addAndGet(windows(byteSize));
        FileMapping mapping = null;
        try {
            if (windows <= WINDOWS_MAX) {
                mapping = new FileMapping(descriptor, byteSize);
            }
        } catch (ErrnoException e) {
            mapping = null; // It is read, as if it could not be mapped.
        } finally {
            if (mapping == null) {
                giveBack(byteSize);
            }
        }
        return Optional.ofNullable(mapping);
    }

    private static void giveBack(long byteSize) {
        allWindows.addAndGet(-windows(byteSize));
    }

    private static long windows(long byteSize) {
        return Math.ceilDiv(byteSize, WINDOW_BYTES);
    }

    /** {@return the file; see {@link MappedFile} for what may be done with it} */
    MemorySegment segment() {
        return file.segment();
    }

    /** {@return a moment for the other methods} */
    static int millis() {
        return (int) (System.nanoTime() / 1_000_000);
    }

    /** {@return which window a byte of the file is in} */
    static int window(long offset) {
        return (int) (offset / WINDOW_BYTES);
    }

    /** {@return the bytes of a window} */
    MemorySegment window(int window) {
        long begin = window * WINDOW_BYTES;
        return segment().asSlice(begin, Math.min(WINDOW_BYTES, segment().byteSize() - begin));
    }

    /** {@return the pages of a window, a bit for each, that hold bytes of a part of the file} */
    static long pages(int window, long from, long to) {
        long begin = window * WINDOW_BYTES;
        long pageBytes = WINDOW_BYTES / WINDOW_PAGES;
        long first = Math.max(from - begin, 0) / pageBytes;
        long last = (Math.min(to - begin, WINDOW_BYTES) - 1) / pageBytes;
        return -1L << first & -1L >>> (WINDOW_PAGES - 1 - last);
    }

    /** {@return whether pages of a window were in memory when that was last looked at} */
    boolean wereSeen(int window, long wanted, int nowMillis) {
        boolean isFresh = Integer.compareUnsigned(age(window, nowMillis), freshMillis) <= 0;
        return isFresh && (pages[window] & wanted) == wanted;
    }

    /** Unsigned: the clock goes round in 49.7 days, and 24.9 days ago is no time to come. */
    private int age(int window, int nowMillis) {
        return nowMillis - seenMillis[window];
    }

    void see(int window, long inMemory, int nowMillis) {
        long before = pages[window];
        int age = age(window, nowMillis);
        if ((before & ~inMemory) != 0) {
            freshMillis = FRESH_MILLIS_MIN;
        } else if (before != 0 && Integer.compareUnsigned(age, freshMillis) > 0) {
            freshMillis =
                    Integer.compareUnsigned(age, FRESH_MILLIS_MAX / 2) < 0
                            ? 2 * age
                            : FRESH_MILLIS_MAX;
        }
        pages[window] = inMemory;
        seenMillis[window] = nowMillis;
    }

    @Override
    public void close() {
        long byteSize = segment().byteSize();
        try {
            file.close();
        } finally {
            giveBack(byteSize);
        }
    }
}
