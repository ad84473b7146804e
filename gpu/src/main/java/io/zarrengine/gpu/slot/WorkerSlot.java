package io.zarrengine.gpu.slot;

import io.zarrengine.gpu.chunk.ChunkBytes;
import io.zarrengine.gpu.chunk.DeviceChunk;
import io.zarrengine.gpu.chunk.PieceMaker;
import io.zarrengine.uring.FileChanges;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The slot that one worker fills. When it is full it goes to the device's thread, which also takes
 * it before that, when the device has nothing else to do, or it was begun long ago.
 *
 * <p>Owner: the executor. Threads: {@link #put} one; {@link #steal} the device's.
 */
public final class WorkerSlot implements AutoCloseable {
    /** Half a longest run of chunks. */
    private static final long LENT_BYTES = 128 << 10;

    private final Supplier<SlotFill> slots;
    private final Consumer<SlotFill> sealed;
    private final PieceMaker pieces = new PieceMaker();
    private FileChanges changes; // null: nobody asked
    private volatile SlotFill open; // written under this

    /**
     * Begins without a slot.
     *
     * @param slots waits for a free one
     * @param sealed takes one that is full
     */
    WorkerSlot(Supplier<SlotFill> slots, Consumer<SlotFill> sealed) {
        this.slots = slots;
        this.sealed = sealed;
    }

    /** For the worker. */
    public FileChanges changes() {
        changes = changes == null ? new FileChanges() : changes;
        return changes;
    }

    /** For the worker. */
    public PieceMaker pieces() {
        return pieces;
    }

    /** Adds a chunk to a slot; waits where there is none. */
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
     * A read to memory that was lent is over: until it is copied, that is nobody else's. Of short
     * ones some are copied together.
     *
     * @param bytes how long it was
     */
    public synchronized void sealLent(long bytes) {
        boolean isDue =
                open != null
                        && open.files().lentBytes() > 0
                        && Math.max(bytes, open.files().lentBytes()) >= LENT_BYTES;
        if (isDue) {
            sealed.accept(open);
            open = null;
        }
    }

    /** {@return the slot, if there is anything in it, begun so long ago at least; or null} */
    SlotFill steal(long now, long nanos) {
        SlotFill seen = open;
        if (seen == null || now - seen.begunNanos() < nanos) {
            return null;
        }
        synchronized (this) {
            return seen.equals(open) && !seen.entries().isEmpty() ? take() : null;
        }
    }

    /** {@return the slot, whatever is in it, or null} */
    synchronized SlotFill take() {
        SlotFill taken = open;
        open = null;
        return taken;
    }

    /** Its thread puts nothing any more. */
    @Override
    public void close() {
        if (changes != null) {
            changes.close();
        }
    }
}
