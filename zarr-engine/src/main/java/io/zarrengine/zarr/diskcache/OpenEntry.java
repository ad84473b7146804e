package io.zarrengine.zarr.diskcache;

import io.zarrengine.uring.FileHandle;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** An open file of the cache. Its file is retained by who holds it. Threads: any. */
final class OpenEntry {
    /** Pages of the table that are kept, 16 KiB each. */
    private static final int PAGES = 4;

    private final Path path;
    private final FileHandle file;
    private final EntryHeader header;
    private final AtomicReferenceArray<CheckPage> pages = new AtomicReferenceArray<>(PAGES);
    private volatile long checkedNanos = System.nanoTime();
    private volatile long usedSeconds; // since the epoch, as the file system has it

    OpenEntry(Path path, FileHandle file, EntryHeader header) {
        this.path = path;
        this.file = file;
        this.header = header;
        this.usedSeconds = file.version().modifiedSeconds();
    }

    Path path() {
        return path;
    }

    FileHandle file() {
        return file;
    }

    EntryHeader header() {
        return header;
    }

    /** {@return a page of the table; null if it is not known} */
    CheckPage page(long number) {
        CheckPage page = pages.get(slot(number));
        return page == null || page.number() != number ? null : page;
    }

    void setPage(CheckPage page) {
        pages.set(slot(page.number()), page);
    }

    /** {@return whether this process has compared consecutive blocks, and found them intact} */
    boolean areIntact(long first, int count) {
        for (long block = first; block < first + count; block++) {
            CheckPage page = page(block / CheckPage.CHECKS);
            if (page == null || !page.isIntact(block)) {
                return false;
            }
        }
        return true;
    }

    /** Notes that consecutive blocks have these checks. */
    void setIntact(long first, int[] checks) {
        for (int i = 0; i < checks.length; i++) {
            CheckPage page = page((first + i) / CheckPage.CHECKS);
            if (page != null) {
                page.setIntact(first + i, checks[i]);
            }
        }
    }

    private static int slot(long number) {
        return (int) (number % PAGES);
    }

    /** {@return how long ago it was found to be the file of its path, in ns} */
    long ageNanos() {
        return System.nanoTime() - checkedNanos;
    }

    void setChecked() {
        checkedNanos = System.nanoTime();
    }

    long usedSeconds() {
        return usedSeconds;
    }

    void setUsed(long seconds) {
        usedSeconds = seconds;
    }
}
