package io.zarrengine.zarr.diskcache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tells which blocks of an object are kept. It reads the table in pages.
 *
 * <p>Owner: who asked for it; it holds the file open. Threads: one.
 */
public final class KeptBlocks implements AutoCloseable {
    /** The checks of 16 MiB. */
    private static final int PAGE_CHECKS = 4096;

    private final OpenEntries entries;
    private final OpenEntry entry;
    private ByteBuffer page; // checks of consecutive blocks; null if none is read
    private long pageFirst; // the number of its first block

    /** Takes the entry, which is retained. */
    KeptBlocks(OpenEntries entries, OpenEntry entry) {
        this.entries = entries;
        this.entry = entry;
    }

    OpenEntry entry() {
        return entry;
    }

    /**
     * {@return whether all of a range is kept}
     *
     * @param offset in the object, {@code >= 0}
     * @param bytes its length, {@code > 0}
     */
    public boolean has(long offset, long bytes) {
        long first = offset / EntryHeader.BLOCK_BYTES;
        long end = Math.ceilDiv(offset + bytes, EntryHeader.BLOCK_BYTES);
        if (end > entry.header().blocks()) {
            return false;
        }
        for (long block = first; block < end; block++) {
            if (check(block) == BlockCheck.ABSENT) {
                return false;
            }
        }
        return true;
    }

    /** {@return the checks of consecutive blocks; null if one is not kept} */
    int[] checks(long first, int count) {
        int[] checks = new int[count];
        for (int i = 0; i < count; i++) {
            checks[i] = check(first + i);
            if (checks[i] == BlockCheck.ABSENT) {
                return null;
            }
        }
        return checks;
    }

    private int check(long block) {
        if (page == null || block < pageFirst || block >= pageFirst + checksInPage()) {
            readPage(block);
        }
        return page.getInt((int) (block - pageFirst) * EntryHeader.CHECK_BYTES);
    }

    private int checksInPage() {
        return page.capacity() / EntryHeader.CHECK_BYTES;
    }

    private void readPage(long block) {
        pageFirst = block & -PAGE_CHECKS;
        long count = Math.min(PAGE_CHECKS, entry.header().blocks() - pageFirst);
        int bytes = (int) count * EntryHeader.CHECK_BYTES;
        byte[] read;
        try {
            read = entries.backend().read(entry.file(), EntryHeader.checkAt(pageFirst), bytes);
        } catch (IOException e) { // The file ends before: nothing is kept.
            read = new byte[bytes];
        }
        page = ByteBuffer.wrap(read).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        entry.file().release();
    }
}
