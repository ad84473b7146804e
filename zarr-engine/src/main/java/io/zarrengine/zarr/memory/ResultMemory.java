package io.zarrengine.zarr.memory;

import io.zarrengine.bindings.NativeMemory;

/**
 * Memory for results, of which some is used again: of new memory the kernel clears each page when
 * it is first written, which takes longer than to read into it what the page cache holds.
 *
 * <p>Owner: an engine. Threads: any. What was handed out outlives the engine.
 */
public final class ResultMemory implements AutoCloseable {
    private final long bytesMax;
    private BlockMemory blocks; // null before the first result, and in the end; guarded by this
    private int lent; // blocks; guarded by this
    private boolean isRefused; // there is not so much memory; guarded by this
    private boolean isClosed; // guarded by this

    /**
     * Takes no memory yet.
     *
     * @param bytesMax what may be kept, for results that are closed by then
     */
    public ResultMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * {@return memory with any content, the caller's until it closes it}
     *
     * @param bytes length in bytes, {@code >= 0}
     * @throws OutOfMemoryError if there is not that much
     */
    public NativeMemory allocate(long bytes) {
        NativeMemory block = tryLend(bytes);
        return block == null ? NativeMemory.allocate(bytes) : block;
    }

    private synchronized NativeMemory tryLend(long bytes) {
        if (isClosed || bytes == 0 || bytes > bytesMax || !reserve()) {
            return null;
        }
        long at = blocks.take(bytes);
        if (at < 0) {
            return null;
        }
        NativeMemory block = NativeMemory.lend(blocks.block(at, bytes), () -> giveBack(at, bytes));
        lent++;
        return block;
    }

    private boolean reserve() {
        if (blocks == null && !isRefused) {
            blocks = BlockMemory.tryReserve(bytesMax);
            isRefused = blocks == null;
        }
        return blocks != null;
    }

    private synchronized void giveBack(long at, long bytes) {
        blocks.free(at, bytes);
        lent--;
        freeIfUnused();
    }

    private void freeIfUnused() {
        if (isClosed && lent == 0 && blocks != null) {
            blocks.close();
            blocks = null;
        }
    }

    /** Frees what is kept: at once, or with the last result that lies there. */
    @Override
    public synchronized void close() {
        isClosed = true;
        freeIfUnused();
    }
}
