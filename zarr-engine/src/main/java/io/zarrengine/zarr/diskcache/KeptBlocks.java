package io.zarrengine.zarr.diskcache;

/**
 * Tells which blocks of an object are kept.
 *
 * <p>Owner: the caller of {@link KeptObject}; it holds the file open. Threads: one.
 */
public final class KeptBlocks implements AutoCloseable {
    private final OpenEntries entries;
    private final OpenEntry entry;

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

    /** A check that was there stays; one that was not may have been written since. */
    private int check(long block) {
        long number = block / CheckPage.CHECKS;
        CheckPage known = entry.page(number);
        int check = known == null ? BlockCheck.ABSENT : known.check(block);
        if (check == BlockCheck.ABSENT) {
            CheckPage now = CheckPage.read(entries.backend(), entry, number);
            entry.setPage(now);
            check = now.check(block);
        }
        return check;
    }

    @Override
    public void close() {
        entry.file().release();
    }
}
