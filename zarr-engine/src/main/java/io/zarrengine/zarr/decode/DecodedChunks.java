package io.zarrengine.zarr.decode;

import io.zarrengine.bindings.UseCount;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.files.ClockMap;
import io.zarrengine.zarr.memory.BlockMemory;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/**
 * A cache of decoded chunks for later reads, limited to a number of bytes. Evicts the chunks first
 * that were not used recently.
 *
 * <p>The chunks are in native memory of a fixed size, reserved when the first one is put: copying
 * short rows from the heap to native targets takes up to three times as long. A chunk that is
 * evicted during a copy keeps its memory until the copy ends. If the native memory cannot be
 * reserved, the chunks are on the heap. Threads: any; putting and evicting a chunk take a lock,
 * finding one takes none.
 */
public final class DecodedChunks implements AutoCloseable {
    /**
     * Identifies a chunk in one version of its file.
     *
     * @param version of the file
     * @param offset of the chunk in the file, in bytes
     * @param bytes encoded size of the chunk
     * @param pipeline of the chunk's open array
     */
    public record Key(FileVersion version, long offset, long bytes, ChunkPipeline pipeline) {
        /** Leaves out the other components, which seldom differ when these are equal. */
        @Override
        public int hashCode() {
            return 31 * version.hashCode() + Long.hashCode(offset);
        }
    }

    /** A cached chunk, valid while it is cached and while it has users. */
    static final class Kept implements AutoCloseable {
        private final MemorySegment elements;
        private final Runnable free;
        private final UseCount users = new UseCount("a kept chunk"); // including the cache

        private Kept(MemorySegment elements, Runnable free) {
            this.elements = elements;
            this.free = free;
        }

        /** {@return the chunk's elements, read-only by agreement, until this is closed} */
        MemorySegment elements() {
            return elements;
        }

        /** Ends one use. */
        @Override
        public void close() {
            if (users.removeIsLast()) {
                free.run();
            }
        }
    }

    private final long bytesMax;
    private final LongFunction<BlockMemory> reserving;
    private final ClockMap<Key, Kept> chunks = new ClockMap<>();
    private long bytes; // of cached chunks and of those being copied; guarded by this
    private BlockMemory memory; // null before the first chunk; guarded by this
    private boolean isRefused; // the memory cannot be reserved; guarded by this

    /** Creates an empty cache. With 0 bytes it stays empty. */
    public DecodedChunks(long bytesMax) {
        this(bytesMax, BlockMemory::tryReserve);
    }

    /**
     * {@code reserving} reserves a number of bytes, or returns null if there is not enough memory.
     */
    public DecodedChunks(long bytesMax, LongFunction<BlockMemory> reserving) {
        this.bytesMax = bytesMax;
        this.reserving = reserving;
    }

    /** {@return whether the cache takes a chunk of a size} */
    boolean keeps(long chunkBytes) {
        return chunkBytes <= Math.min(bytesMax / 4, Integer.MAX_VALUE - 8);
    }

    /** {@return a cached chunk, which the caller closes; null if there is none} */
    Kept get(Key key) {
        Kept chunk = chunks.find(key);
        boolean isThere = chunk != null && chunk.users.tryAdd(); // false if it was evicted just now
        return isThere ? chunk : null;
    }

    /**
     * Caches a copy of a chunk's elements, if there is room.
     *
     * @param elements of a size that this {@link #keeps}
     */
    void put(Key key, MemorySegment elements) {
        Kept chunk = tryTakeRoom(elements.byteSize());
        if (chunk != null) {
            chunk.elements.copyFrom(elements); // outside the lock, as it takes long
            keep(key, chunk);
        }
    }

    /**
     * Evicts chunks until there is room for one more; returns null if the other chunks are in use.
     */
    private synchronized Kept tryTakeRoom(long size) {
        while (bytes > bytesMax - size && forgetOne()) {
            // The loop ends when there is room.
        }
        if (bytes > bytesMax - size) {
            return null; // Other threads are still copying their chunks.
        }
        Kept chunk = reserve() ? tryTakeBlock(size) : onHeap(size);
        if (chunk != null) {
            bytes += size;
        }
        return chunk;
    }

    private boolean reserve() {
        if (memory == null && !isRefused) {
            memory = reserving.apply(bytesMax);
            isRefused = memory == null;
        }
        return memory != null;
    }

    private Kept tryTakeBlock(long size) {
        long at = memory.take(size);
        while (at < 0 && forgetOne()) {
            at = memory.take(size);
        }
        long block = at;
        return at < 0 ? null : new Kept(memory.block(at, size), () -> free(block, size));
    }

    private static Kept onHeap(long size) {
        return new Kept(MemorySegment.ofArray(new byte[(int) size]), () -> {});
    }

    private synchronized void free(long at, long size) {
        memory.free(at, size);
    }

    /** {@return whether a chunk was evicted} */
    private boolean forgetOne() {
        Kept oldest = chunks.removeOldest(_ -> true);
        if (oldest != null) {
            forget(oldest);
        }
        return oldest != null;
    }

    private void forget(Kept chunk) {
        bytes -= chunk.elements.byteSize();
        chunk.close();
    }

    /** Replaces a chunk that another thread has put under the same key. */
    private synchronized void keep(Key key, Kept chunk) {
        Kept before = chunks.put(key, chunk);
        if (before != null) {
            forget(before);
        }
    }

    /** {@return the bytes of the cached chunks} */
    synchronized long bytes() {
        return bytes;
    }

    /** Frees the memory. No thread may use a chunk any more. */
    @Override
    public synchronized void close() {
        chunks.clear();
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
