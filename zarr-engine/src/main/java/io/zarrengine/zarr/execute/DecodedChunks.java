package io.zarrengine.zarr.execute;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.uring.FileVersion;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.memory.BlockMemory;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Chunks as they were decoded, kept for the next read of them within a number of bytes; chunks that
 * nobody asked for lately are forgotten first (the clock algorithm).
 *
 * <p>They lie in native memory of a fixed size, reserved when the first one comes: copying short
 * rows from the heap to targets outside of it takes up to three times as long. One that is
 * forgotten while somebody copies from it keeps its memory until that ends. Where so much native
 * memory cannot be reserved, they lie on the heap. Threads: any; a lock for each chunk that is kept
 * or forgotten, none for finding one.
 */
final class DecodedChunks implements AutoCloseable {
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

    /** A chunk that is kept, and at least as long as somebody uses it. */
    static final class Kept implements AutoCloseable {
        private final Key key;
        private final MemorySegment elements;
        private final Runnable free;
        private final AtomicInteger users = new AtomicInteger(1); // the first is the cache
        private volatile boolean used;

        private Kept(Key key, MemorySegment elements, Runnable free) {
            this.key = key;
            this.elements = elements;
            this.free = free;
        }

        /** {@return the chunk's elements, not to be modified; until this is closed} */
        MemorySegment elements() {
            return elements;
        }

        /** {@return whether it is there for one more user: false if it was forgotten} */
        private boolean retain() {
            return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
        }

        /** Ends one user's use of it. */
        @Override
        public void close() {
            if (users.decrementAndGet() == 0) {
                free.run();
            }
        }
    }

    private final long bytesMax;
    private final ConcurrentHashMap<Key, Kept> chunks = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Kept> clock = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private BlockMemory
            memory; // null before the first chunk; this and the following: guarded by this
    private boolean isRefused; // there is not so much memory

    /** Keeps nothing yet; 0 bytes: it never will. */
    DecodedChunks(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** {@return whether a chunk of that size may be kept} */
    boolean keeps(long chunkBytes) {
        return chunkBytes <= Math.min(bytesMax / 4, Integer.MAX_VALUE - 8);
    }

    /** {@return a chunk, which the caller closes, or null} */
    Kept get(Key key) {
        Kept chunk = chunks.get(key);
        if (chunk == null || !chunk.retain()) {
            return null;
        }
        if (!chunk.used) {
            chunk.used = true;
        }
        return chunk;
    }

    /**
     * Keeps a copy of a chunk's elements, if there is room.
     *
     * @param elements of a size that this {@link #keeps}
     */
    void put(Key key, MemorySegment elements) {
        Kept chunk = copy(key, elements);
        if (chunk == null) {
            return;
        }
        if (chunks.putIfAbsent(key, chunk) != null) {
            chunk.close();
            return;
        }
        bytes.addAndGet(elements.byteSize());
        clock.add(chunk);
        while (bytes.get() > bytesMax && forgetOne()) {
            // Until the rest fits.
        }
    }

    private Kept copy(Key key, MemorySegment elements) {
        long size = elements.byteSize();
        if (!reserve()) {
            byte[] array = elements.toArray(JAVA_BYTE);
            return new Kept(key, MemorySegment.ofArray(array), () -> {});
        }
        long at = take(size);
        while (at < 0 && forgetOne()) {
            at = take(size);
        }
        if (at < 0) {
            return null; // All the rest is in use.
        }
        long block = at;
        return new Kept(key, memory.block(at, size).copyFrom(elements), () -> free(block, size));
    }

    /** {@return whether chunks lie in native memory} */
    private synchronized boolean reserve() {
        if (memory == null && !isRefused) {
            memory = BlockMemory.tryReserve(bytesMax);
            isRefused = memory == null;
        }
        return memory != null;
    }

    private synchronized long take(long size) {
        return memory.take(size);
    }

    private synchronized void free(long at, long size) {
        memory.free(at, size);
    }

    /** Forgets what was not asked for since the clock came by; false if nothing is kept. */
    private boolean forgetOne() {
        Kept oldest = clock.poll();
        while (oldest != null && oldest.used) {
            oldest.used = false;
            clock.add(oldest);
            oldest = clock.poll();
        }
        if (oldest == null) {
            return false; // Or other threads have it in hand.
        }
        chunks.remove(oldest.key, oldest);
        bytes.addAndGet(-oldest.elements.byteSize());
        oldest.close();
        return true;
    }

    /** {@return the bytes kept now} */
    long bytes() {
        return bytes.get();
    }

    /** Frees the memory; nobody uses a chunk any more. */
    @Override
    public synchronized void close() {
        chunks.clear();
        clock.clear();
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
