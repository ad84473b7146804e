package io.zarrengine.uring;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibCMemory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A whole mapped file, with a record of the pages that were recently in memory. Calling mincore for
 * each part took 10 to 20 % of the time of copying it. If a page leaves memory after it was
 * recorded, the thread that touches it takes a page fault.
 *
 * <p>Owner: the open file. Threads: any.
 */
final class FileMapping implements AutoCloseable {
    /** Pages of a window. One mincore call covers a window. */
    static final int WINDOW_PAGES = Long.SIZE;

    private static final long WINDOW_BYTES = (long) WINDOW_PAGES * LibCMemory.getpagesize();
    private static final int FRESH_MILLIS_MIN = 100;
    private static final int FRESH_MILLIS_MAX = 1600;

    /**
     * Limit of the windows of all files, so that their records take at most a 64th of the heap. A
     * heap of 1 GiB is enough for files of 350 GiB.
     */
    private static final long WINDOWS_MAX =
            Math.min(
                    Runtime.getRuntime().maxMemory() / 64 / (Long.BYTES + Integer.BYTES),
                    Integer.MAX_VALUE / 2);

    private static final AtomicLong allWindows = new AtomicLong();

    private final MappedFile file;

    // How long recorded pages count as in memory: twice the time for which earlier ones were found
    // to stay. Threads may overwrite each other's values here and below. The effect is a further
    // mincore call, or a longer time of trust.
    private int freshMillis = FRESH_MILLIS_MIN;

    // For each window:
    private final long[] pages; // a bit for each page that was in memory
    private final int[] seenMillis;

    private FileMapping(int descriptor, long byteSize) throws ErrnoException {
        int windows = (int) windows(byteSize); // fewer than WINDOWS_MAX
        this.pages = new long[windows];
        this.seenMillis = new int[windows];
        this.file = MappedFile.open(descriptor, byteSize); // The last step that can fail.
    }

    /** {@return the mapped file; empty if the kernel, the heap or our limits do not allow it} */
    static Optional<FileMapping> tryOpen(int descriptor, long byteSize) {
        long windows = allWindows.addAndGet(windows(byteSize));
        FileMapping mapping = null;
        try {
            if (windows <= WINDOWS_MAX) {
                mapping = new FileMapping(descriptor, byteSize);
            }
        } catch (ErrnoException | OutOfMemoryError e) {
            mapping = null; // The file is read instead.
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

    /** {@return the mapped file; see {@link MappedFile} for the rules of access} */
    MemorySegment segment() {
        return file.segment();
    }

    /** {@return the time for the other methods, in milliseconds} */
    static int millis() {
        return (int) (System.nanoTime() / 1_000_000);
    }

    /** {@return the window that holds a byte of the file} */
    static int window(long offset) {
        return (int) (offset / WINDOW_BYTES);
    }

    /** {@return the bytes of a window} */
    MemorySegment window(int window) {
        long begin = window * WINDOW_BYTES;
        return segment().asSlice(begin, Math.min(WINDOW_BYTES, segment().byteSize() - begin));
    }

    /** {@return the pages of a window that hold bytes of a part of the file, a bit for each} */
    static long pages(int window, long from, long to) {
        long begin = window * WINDOW_BYTES;
        long pageBytes = WINDOW_BYTES / WINDOW_PAGES;
        long first = Math.max(from - begin, 0) / pageBytes;
        long last = (Math.min(to - begin, WINDOW_BYTES) - 1) / pageBytes;
        return -1L << first & -1L >>> (WINDOW_PAGES - 1 - last);
    }

    /** {@return whether pages of a window are recorded as in memory, and the record is fresh} */
    boolean wereSeen(int window, long wanted, int nowMillis) {
        boolean isFresh = Integer.compareUnsigned(age(window, nowMillis), freshMillis) <= 0;
        return isFresh && (pages[window] & wanted) == wanted;
    }

    /**
     * The age is unsigned, because the clock wraps after 49.7 days and an age above 24.9 days would
     * be negative.
     */
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
