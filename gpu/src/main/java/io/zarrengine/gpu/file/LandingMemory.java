package io.zarrengine.gpu.file;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.bindings.UseCount;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.PinnedMemory;
import io.zarrengine.gpu.chunk.ChunkBytes;
import io.zarrengine.gpu.chunk.CopySource;
import io.zarrengine.uring.reading.SlotRuns;
import io.zarrengine.zarr.sink.LentMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Pinned memory into which files are read around the page cache, and from which the device copies
 * chunks. The host reads only what it must check, mostly headers, and copies nothing. A drive
 * delivers less while cores read or write the bytes that it delivers
 * (docs/decisions/landing-memory.md).
 *
 * <p>Owner: the device's memory; opened and closed on its thread. Threads: any. Lent to: the kernel
 * while a read is under way; the device while a copy is.
 */
public final class LandingMemory implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    private static final int SLOT_BYTES = 64 << 10;

    private final PinnedMemory memory;
    private final SlotRuns free; // guarded by this
    private final Landing[] taken; // by slot: the landing of its run

    /** Opens the memory, all of it free. {@code bytes} must be whole MiB. */
    public LandingMemory(CudaDevice device, long bytes) throws IOException {
        int slots = Math.toIntExact(bytes / SLOT_BYTES);
        free = new SlotRuns(slots, SLOT_BYTES);
        taken = new Landing[slots];
        memory = PinnedMemory.open(device, bytes); // last, so that an earlier failure leaks nothing
    }

    /** Memory lent to a read. It is in use until the read and all copies from it are done. */
    private final class Landing implements LentMemory, CopySource {
        private final long offset;
        private final MemorySegment segment;
        private final Runnable whenDone;
        private final UseCount users = new UseCount("memory that a file was read to");

        private Landing(long offset, long bytes, Runnable whenDone) {
            this.whenDone = whenDone;
            this.offset = offset;
            this.segment = memory.segment().asSlice(offset, bytes);
        }

        @Override
        public MemorySegment segment() {
            return segment;
        }

        @Override
        public MemorySegment whole() {
            return memory.segment();
        }

        @Override
        public long windowEnd(long at) {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isLent() {
            return true;
        }

        @Override
        public void retain() {
            users.add();
        }

        @Override
        public void close() {
            try {
                whenDone.run();
            } finally {
                release();
            }
        }

        @Override
        public void release() {
            if (users.removeIsLast()) {
                free(this);
            }
        }
    }

    /**
     * {@return memory of this size, with the caller as its only user; null if none is free}
     *
     * @param whenDone runs on the caller's thread when the caller has finished with the memory
     */
    public synchronized LentMemory tryTake(long bytes, Runnable whenDone) {
        long offset = free.take(bytes);
        if (offset < 0) {
            return null;
        }
        Landing landing = null;
        try {
            landing = new Landing(offset, bytes, whenDone);
        } finally {
            if (landing == null) {
                free.free(offset, bytes);
            }
        }
        for (long at = offset; at < offset + bytes; at += SLOT_BYTES) {
            taken[(int) (at / SLOT_BYTES)] = landing;
        }
        return landing;
    }

    private synchronized void free(Landing landing) {
        free.free(landing.offset, landing.segment.byteSize());
    }

    /**
     * {@return the bytes as a copy source for the device if they lie in this memory; otherwise
     * bytes that must be copied to a slot first}
     *
     * @param bytes memory that is in use
     * @param frameOffset see {@link ChunkBytes}
     * @param alignment see {@link ChunkBytes}
     */
    public ChunkBytes bytesOf(MemorySegment bytes, long frameOffset, long alignment) {
        long at = bytes.address() - memory.segment().address();
        if (at < 0 || at >= memory.segment().byteSize()) {
            return ChunkBytes.ofHost(bytes, frameOffset, alignment);
        }
        Landing landing = taken[(int) (at / SLOT_BYTES)];
        return ChunkBytes.of(
                landing, at - landing.offset, bytes.byteSize(), frameOffset, alignment);
    }

    /** Frees the memory. If the kernel may still write to it, it is leaked instead. */
    @Override
    public synchronized void close() {
        if (free.usedBytes() > 0) {
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    "the kernel holds " + free.usedBytes() + " pinned bytes, which are given up");
            return;
        }
        memory.close();
    }
}
