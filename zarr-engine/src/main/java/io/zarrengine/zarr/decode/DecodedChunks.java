package io.zarrengine.zarr.decode;

import io.zarrengine.bindings.UseCount;
import io.zarrengine.uring.FileVersion;
import io.zarrengine.uring.files.ClockMap;
import io.zarrengine.zarr.memory.BlockMemory;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/**
 * Chunks as they were decoded, kept for the next read of them within a number of bytes; those that
 * nobody asked for lately are forgotten first.
 *
 * <p>They lie in native memory of a fixed size, reserved when the first one comes: copying short
 * rows from the heap to targets outside of it takes up to three times as long. One that is
 * forgotten while somebody copies from it keeps its memory until that ends. Where so much native
 * memory cannot be reserved, they lie on the heap. Threads: any; a lock for each chunk that is kept
 * or forgotten, none for finding one.
 */
public final class DecodedChunks implements AutoCloseable {
    /**
     * Identifies a chunk in one version of its file.
     *
     * @param version the file's
     * @param offset where the chunk begins in it, in bytes
     * @param bytes its encoded size
     * @param pipeline how it is encoded; that of one open array
     */
    public record Key(FileVersion version, long offset, long bytes, ChunkPipeline pipeline) {
        /** The rest of the key seldom differs where these do not. */
        @Override
        public int hashCode() {
            return 31 * version.hashCode() + Long.hashCode(offset);
        }
    }

    /** A chunk that is kept, and at least as long as somebody uses it. */
    static final class Kept implements AutoCloseable {
        private final MemorySegment elements;
        private final Runnable free;
        private final UseCount users = new UseCount("a kept chunk"); // the first is the cache

        private Kept(MemorySegment elements, Runnable free) {
            this.elements = elements;
            this.free = free;
        }

        /** {@return the chunk's elements, not to be modified; until this is closed} */
        MemorySegment elements() {
            return elements;
        }

        /** Ends one user's use of it. */
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
    private long bytes; // of those that are kept, and those to come; guarded by this
    private BlockMemory memory; // null before the first chunk; guarded by this
    private boolean isRefused; // there is not so much memory; guarded by this

    /** Keeps nothing yet; 0 bytes: it never will. */
    public DecodedChunks(long bytesMax) {
        this(bytesMax, BlockMemory::tryReserve);
    }

    /** {@code reserving}: of so many bytes, null if there is not so much. */
    public DecodedChunks(long bytesMax, LongFunction<BlockMemory> reserving) {
        this.bytesMax = bytesMax;
        this.reserving = reserving;
    }

    /** {@return whether a chunk of that size may be kept} */
    boolean keeps(long chunkBytes) {
        return chunkBytes <= Math.min(bytesMax / 4, Integer.MAX_VALUE - 8);
    }

    /** {@return a chunk, which the caller closes, or null} */
    Kept get(Key key) {
        Kept chunk = chunks.find(key);
        boolean isThere = chunk != null && chunk.users.tryAdd(); // Else it was forgotten meanwhile.
        return isThere ? chunk : null;
    }

    /**
     * Keeps a copy of a chunk's elements, if there is room.
     *
     * @param elements of a size that this {@link #keeps}
     */
    void put(Key key, MemorySegment elements) {
        Kept chunk = tryTakeRoom(elements.byteSize());
        if (chunk != null) {
            chunk.elements.copyFrom(elements); // Not under the lock, as it takes long.
            keep(key, chunk);
        }
    }

    /** Forgets chunks until there is room for one more; null if all the rest is in use. */
    private synchronized Kept tryTakeRoom(long size) {
        while (bytes > bytesMax - size && forgetOne()) {
            // Until the rest leaves room.
        }
        if (bytes > bytesMax - size) {
            return null; // All of it is still to come.
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

    /** {@return whether there was anything to forget} */
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

    /** Another thread may have kept the same one meanwhile. */
    private synchronized void keep(Key key, Kept chunk) {
        Kept before = chunks.put(key, chunk);
        if (before != null) {
            forget(before);
        }
    }

    /** {@return the bytes kept now} */
    synchronized long bytes() {
        return bytes;
    }

    /** Frees the memory; nobody uses a chunk any more. */
    @Override
    public synchronized void close() {
        chunks.clear();
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
