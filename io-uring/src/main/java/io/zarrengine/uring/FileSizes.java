package io.zarrengine.uring;

/**
 * Bytes of files, by a hash of what they are: of two with the same one the later counts. In two
 * arrays, for who opens a thousand small files in a moment feels each line of memory. Owner: {@link
 * RecentFiles}.
 */
final class FileSizes {
    private static final int NONE = 0;
    private static final int SLOTS_MIN = 1 << 8;

    private int[] hashes = new int[SLOTS_MIN]; // NONE: free; the next free one is tried
    private long[] sizes = new long[SLOTS_MIN];
    private int files;

    /** {@return how many are known} */
    int files() {
        return files;
    }

    /** {@return the bytes of all} */
    long bytes() {
        long bytes = 0;
        for (long size : sizes) {
            bytes += size;
        }
        return bytes;
    }

    /** {@return the bytes that the file had before, 0 if it is new} */
    long put(int hash, long bytes) {
        if (2 * files >= hashes.length) {
            grow();
        }
        int slot = slot(hash);
        if (hashes[slot] == NONE) {
            hashes[slot] = key(hash);
            files++;
        }
        long before = sizes[slot];
        sizes[slot] = bytes;
        return before;
    }

    /** {@return the bytes that the file had, 0 if it is not known}; it has none from then on */
    long forget(int hash) {
        int slot = slot(hash);
        long before = sizes[slot];
        sizes[slot] = 0;
        return before;
    }

    private static int key(int hash) {
        return hash == NONE ? 1 : hash;
    }

    /** Its slot, or the free one where it belongs. */
    private int slot(int hash) {
        int mask = hashes.length - 1;
        int slot = ((key(hash) * 0x9E3779B9) >>> 7) & mask; // Similar hashes lie apart.
        while (hashes[slot] != NONE && hashes[slot] != key(hash)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] oldHashes = hashes;
        long[] oldSizes = sizes;
        hashes = new int[2 * oldHashes.length];
        sizes = new long[hashes.length];
        for (int i = 0; i < oldHashes.length; i++) {
            if (oldHashes[i] != NONE) {
                int slot = slot(oldHashes[i]);
                hashes[slot] = oldHashes[i];
                sizes[slot] = oldSizes[i];
            }
        }
    }
}
