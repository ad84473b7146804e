package io.zarrengine.zarr.execute;

/**
 * The reads in flight to memory that sinks lend, of all workers together. A worker does little with
 * such a read, so few workers keep a drive busy, and the others sleep or do other work.
 *
 * <p>A worker that finds room begins a read. If many workers look at once, more reads than wanted
 * are in flight for a while.
 *
 * <p>Threads: any.
 */
final class LentReads {
    /**
     * The bytes that should be in flight of the drive: enough for one drive. Many drives give less
     * when more reads wait for them (docs/decisions/landing-memory.md).
     */
    static final long DEPTH_BYTES = 3584 << 10;

    /** The window of a worker, at least: no worker gets all that arrives. */
    private static final long WINDOW_BYTES_MIN = 1 << 20;

    /** One read is passed on while the other is in flight, however long they are. */
    private static final int READS_MIN = 2;

    private final long windowBytes; // of one worker, in flight
    private final Runnable wakeAll;
    private long bytes; // in flight; this and the next two: guarded by this
    private int reads; // in flight
    private boolean isHeldBack; // a worker found no room, and may sleep

    /** {@code wakeAll}: makes all workers look for work. */
    LentReads(int workers, Runnable wakeAll) {
        this.windowBytes = Math.max(WINDOW_BYTES_MIN, 4 * DEPTH_BYTES / workers);
        this.wakeAll = wakeAll;
    }

    private synchronized boolean hasRoom() {
        boolean hasRoom = bytes < DEPTH_BYTES || reads < READS_MIN;
        isHeldBack |= !hasRoom;
        return hasRoom;
    }

    private synchronized void begin(long readBytes) {
        bytes += readBytes;
        reads++;
    }

    private synchronized boolean endWantsHelp(long readBytes) {
        bytes -= readBytes;
        reads--;
        boolean wantsHelp = isHeldBack && bytes < DEPTH_BYTES / 2;
        isHeldBack &= !wantsHelp;
        return wantsHelp;
    }

    /** The reads of one worker. Owner: the worker. Threads: its own. */
    final class Window {
        private long underWay; // bytes in flight
        private long taken; // bytes in flight, or arrived and not freed

        /**
         * {@return whether another read may begin} If none may, look again when a read of this
         * worker has arrived or is freed, or when the worker is woken.
         */
        boolean hasRoom() {
            return underWay < windowBytes
                    && taken < windowBytes + windowBytes / 2
                    && LentReads.this.hasRoom();
        }

        /** {@return whether there are far more than wanted, because their memory was not known} */
        boolean isOverfull() {
            return taken >= 2 * windowBytes;
        }

        void begin(long readBytes) {
            underWay += readBytes;
            taken += readBytes;
            LentReads.this.begin(readBytes);
        }

        /**
         * A read has arrived. This worker goes on with others. Other workers are woken only if few
         * reads are in flight.
         */
        void arrived(long readBytes) {
            underWay -= readBytes;
            if (endWantsHelp(readBytes)) {
                wakeAll.run();
            }
        }

        /** The memory of a read that has arrived is free. */
        void free(long readBytes) {
            taken -= readBytes;
        }
    }
}
