package io.zarrengine.gpu;

import io.zarrengine.uring.FileChanges;

/**
 * The slot that one worker fills. When it is full it goes to the device's thread, which also takes
 * it before that, when the device has nothing else to do, or it was begun long ago.
 *
 * <p>Owner: the executor. Threads: {@link #put} one; {@link #steal} the device's.
 */
final class Lane implements AutoCloseable {
    /** Half a longest run of chunks. */
    private static final long LENT_BYTES = 128 << 10;

    private final DeviceExecutor executor;
    private final PieceMaker pieces = new PieceMaker();
    private FileChanges changes; // null: nobody asked
    private volatile SlotFill open; // written under this

    Lane(DeviceExecutor executor) {
        this.executor = executor;
    }

    /** For the worker. */
    FileChanges changes() {
        changes = changes == null ? new FileChanges() : changes;
        return changes;
    }

    /** For the worker. */
    PieceMaker pieces() {
        return pieces;
    }

    /** Adds a chunk to a slot; waits where there is none. */
    void put(ChunkBytes bytes, DeviceChunk chunk) {
        while (!tryPut(bytes, chunk)) {
            SlotFill taken = executor.takeSlot();
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
                executor.sealed(open);
                open = null;
            }
            return true;
        }
        if (open.entries().isEmpty()) {
            throw new IllegalStateException(bytes.byteSize() + " bytes do not fit an empty slot");
        }
        executor.sealed(open);
        open = null;
        return false;
    }

    /**
     * A read to memory that was lent is over: until it is copied, that is nobody else's. Of short
     * ones some are copied together.
     *
     * @param bytes how long it was
     */
    synchronized void sealLent(long bytes) {
        boolean isDue =
                open != null
                        && open.files().lentBytes() > 0
                        && Math.max(bytes, open.files().lentBytes()) >= LENT_BYTES;
        if (isDue) {
            try {
                executor.sealed(open);
                open = null;
            } catch (OutOfMemoryError e) {
                // The device's thread takes it, a little later.
            }
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
