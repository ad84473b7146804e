package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileVersion;
import io.zarrengine.zarr.codec.ChunkPipeline;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Chunks as they were decoded, kept for the next read of them within a number of bytes; chunks that
 * nobody asked for lately are forgotten first (the clock algorithm).
 *
 * <p>They lie on the heap: a chunk that is forgotten while it is copied from stays as it is.
 * Threads: any; no lock.
 */
final class DecodedChunks {
    /**
     * Identifies a chunk in one version of its file.
     *
     * @param version the file's
     * @param offset where the chunk begins in it, in bytes
     * @param bytes its encoded size
     * @param pipeline how it is encoded; that of one open array
     */
    record Key(FileVersion version, long offset, long bytes, ChunkPipeline pipeline) {
        /** The rest of the key seldom differs where these do not. */
        @Override
        public int hashCode() {
            return 31 * version.hashCode() + Long.hashCode(offset);
        }
    }

    private static final class Entry {
        private final Key key;
        private final MemorySegment elements;
        private volatile boolean used;

        Entry(Key key, MemorySegment elements) {
            this.key = key;
            this.elements = elements;
        }
    }

    private final long bytesMax;
    private final ConcurrentHashMap<Key, Entry> entries = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Entry> clock = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();

    /** Keeps nothing yet; 0 bytes: it never will. */
    DecodedChunks(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** {@return whether a chunk of that size may be kept} */
    boolean keeps(long chunkBytes) {
        return chunkBytes <= Math.min(bytesMax / 4, Integer.MAX_VALUE - 8);
    }

    /** {@return a chunk's elements, or null; they are not modified} */
    MemorySegment get(Key key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (!entry.used) {
            entry.used = true;
        }
        return entry.elements;
    }

    /**
     * Keeps a copy of a chunk's elements.
     *
     * @param elements of a size that this {@link #keeps}
     */
    void put(Key key, MemorySegment elements) {
        byte[] copy = new byte[(int) elements.byteSize()];
        MemorySegment kept = MemorySegment.ofArray(copy).copyFrom(elements).asReadOnly();
        Entry entry = new Entry(key, kept);
        if (entries.putIfAbsent(key, entry) == null) {
            clock.add(entry);
            bytes.addAndGet(copy.length);
            makeRoom();
        }
    }

    private void makeRoom() {
        while (bytes.get() > bytesMax) {
            Entry oldest = clock.poll();
            if (oldest == null) {
                return; // Other threads have it in hand.
            }
            if (oldest.used) {
                oldest.used = false;
                clock.add(oldest);
            } else {
                entries.remove(oldest.key, oldest);
                bytes.addAndGet(-oldest.elements.byteSize());
            }
        }
    }

    /** {@return the bytes kept now} */
    long bytes() {
        return bytes.get();
    }
}
