package io.zarrengine.gpu.slot;

import io.zarrengine.gpu.chunk.ChunkBytes;
import io.zarrengine.gpu.chunk.DeviceChunk;
import io.zarrengine.gpu.chunk.PieceMaker;
import io.zarrengine.uring.FileChanges;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The slot that one worker fills. A full slot goes to the device thread. The device thread also
 * takes a slot that is not full if the device is idle, or if the slot was begun long ago.
 *
 * <p>Owner: the executor. Threads: {@link #put} one; {@link #steal} the device's.
 */
public final class WorkerSlot implements AutoCloseable {
    /** Half the length of the longest run of chunks. */
    private static final long LENT_BYTES = 128 << 10;

    private final Supplier<SlotFill> slots;
    private final Consumer<SlotFill> sealed;
    private final PieceMaker pieces = new PieceMaker();
    private FileChanges changes; // null until first used
    private volatile SlotFill open; // writes are guarded by this

    /**
     * Begins without a slot.
     *
     * @param slots waits for a free slot and returns it
     * @param sealed receives full slots
     */
    WorkerSlot(Supplier<SlotFill> slots, Consumer<SlotFill> sealed) {
        this.slots = slots;
        this.sealed = sealed;
    }

    /** For the worker's use only. */
    public FileChanges changes() {
        changes = changes == null ? new FileChanges() : changes;
        return changes;
    }

    /** For the worker's use only. */
    public PieceMaker pieces() {
        return pieces;
    }

    /** Adds a chunk to a slot; waits for a free slot if necessary. */
    public void put(ChunkBytes bytes, DeviceChunk chunk) {
        while (!tryPut(bytes, chunk)) {
            SlotFill taken = slots.get();
            synchronized (this) {
                open = taken;
            }
        }
    }

    private synchronized boolean tryPut(ChunkBytes bytes, DeviceChunk chunk) {
        if (open == null) {
            return false;
        }
        if (open.tryAdd(bytes, chunk)) {
            if (open.isFull()) {
                sealed.accept(open);
                open = null;
            }
            return true;
        }
        if (open.entries().isEmpty()) {
            throw new IllegalStateException(bytes.byteSize() + " bytes do not fit an empty slot");
        }
        sealed.accept(open);
        open = null;
        return false;
    }

    /**
     * Seals the slot after a read to lent memory, because no other read can use that memory until
     * it is copied. Short reads are collected and copied together.
     *
     * @param bytes the length of the read
     */
    public synchronized void sealLent(long bytes) {
        boolean isDue =
                open != null
                        && open.files().lentBytes() > 0
                        && Math.max(bytes, open.files().lentBytes()) >= LENT_BYTES;
        if (isDue) {
            try {
                sealed.accept(open);
                open = null;
            } catch (OutOfMemoryError e) {
                // The device thread takes the slot a little later.
            }
        }
    }

    /** {@return the slot if it has chunks and was begun at least {@code nanos} ago, else null} */
    SlotFill steal(long now, long nanos) {
        SlotFill seen = open;
        if (seen == null || now - seen.begunNanos() < nanos) {
            return null;
        }
        synchronized (this) {
            return seen.equals(open) && !seen.entries().isEmpty() ? take() : null;
        }
    }

    /** {@return the slot with its content, or null} */
    synchronized SlotFill take() {
        SlotFill taken = open;
        open = null;
        return taken;
    }

    /** Closes the slot. Its worker puts no more chunks. */
    @Override
    public void close() {
        if (changes != null) {
            changes.close();
        }
    }
}
