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
 * Pinned memory that files are read to around the page cache, and that the device copies chunks
 * from: the host looks at what it has to check, mostly headers, and moves nothing. A drive gives
 * less where cores read or write what it brings (docs/decisions/landing-memory.md).
 *
 * <p>Owner: the device's memory; opened and closed on its thread. Threads: any. Lent to: the kernel
 * while a read is under way; the device while a copy is.
 */
public final class LandingMemory implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    private static final int SLOT_BYTES = 64 << 10;

    private final PinnedMemory memory;
    private final SlotRuns free; // guarded by this
    private final Landing[] taken; // by slot: each of its run

    /** Opens memory, all of it free; {@code bytes} in whole MiB. */
    public LandingMemory(CudaDevice device, long bytes) throws IOException {
        int slots = Math.toIntExact(bytes / SLOT_BYTES);
        free = new SlotRuns(slots, SLOT_BYTES);
        taken = new Landing[slots];
        memory = PinnedMemory.open(device, bytes); // Last: what fails before leaves nothing.
    }

    /** What a read was lent: in use until the read, and all copies from there, are done. */
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
     * {@return memory for so many bytes, which has one user: the caller; null if there is none}
     *
     * @param whenDone runs when the caller needs it no more, on that thread
     */
    public synchronized LentMemory tryTake(long bytes, Runnable whenDone) {
        long offset = free.take(bytes);
        if (offset < 0) {
            return null;
        }
        Landing landing = new Landing(offset, bytes, whenDone);
        for (long at = offset; at < offset + bytes; at += SLOT_BYTES) {
            taken[(int) (at / SLOT_BYTES)] = landing;
        }
        return landing;
    }

    private synchronized void free(Landing landing) {
        free.free(landing.offset, landing.segment.byteSize());
    }

    /**
     * {@return what the device copies bytes from, if they lie here: else they are to be copied to a
     * slot first}
     *
     * @param bytes of memory in use, of any
     * @param frameOffset as {@link ChunkBytes} says
     * @param alignment likewise
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

    /** Frees it, unless the kernel may still write to it: then it is given up. */
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
