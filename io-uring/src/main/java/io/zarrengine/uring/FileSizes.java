package io.zarrengine.uring;

/**
 * Sizes of files, by the hash of the file's identity. If two files have the same hash, the later
 * one counts. Two arrays hold them, because a program that opens a thousand small files at once
 * notices each cache line. Owner: {@link RecentFiles}.
 */
final class FileSizes {
    private static final int NONE = 0;
    private static final int SLOTS_MIN = 1 << 8;

    private int[] hashes = new int[SLOTS_MIN]; // NONE: free; linear probing
    private long[] sizes = new long[SLOTS_MIN];
    private int files;

    /** {@return the number of known files} */
    int files() {
        return files;
    }

    /** {@return the bytes of all files} */
    long bytes() {
        long bytes = 0;
        for (long size : sizes) {
            bytes += size;
        }
        return bytes;
    }

    /** {@return the size stored for the file before, 0 if it is new} */
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

    /** Sets the size of a file to 0; returns its size before, 0 if it is not known. */
    long forget(int hash) {
        int slot = slot(hash);
        long before = sizes[slot];
        sizes[slot] = 0;
        return before;
    }

    private static int key(int hash) {
        return hash == NONE ? 1 : hash;
    }

    /** Returns the slot of a hash, or the free slot where it belongs. */
    private int slot(int hash) {
        int mask = hashes.length - 1;
        int slot = ((key(hash) * 0x9E3779B9) >>> 7) & mask; // Spreads similar hashes.
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
