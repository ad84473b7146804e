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
    /** The window of a worker, at least: no worker gets all that arrives. */
    private static final long WINDOW_BYTES_MIN = 1 << 20;

    /** One read is passed on while the other is in flight, however long they are. */
    private static final int READS_MIN = 2;

    private final long windowBytes; // of one worker, in flight
    private final Runnable wakeAll;
    private final DriveDepth depth = new DriveDepth(); // this and the next three: guarded by this
    private long bytes; // in flight
    private int reads; // in flight
    private boolean isHeldBack; // a worker found no room, and may sleep

    /** {@code wakeAll}: makes all workers look for work. */
    LentReads(int workers, Runnable wakeAll) {
        this.windowBytes = Math.max(WINDOW_BYTES_MIN, DriveDepth.BYTES_MAX / workers);
        this.wakeAll = wakeAll;
    }

    private synchronized boolean hasRoom() {
        boolean hasRoom = bytes < depth.bytes() || reads < READS_MIN;
        isHeldBack |= !hasRoom;
        return hasRoom;
    }

    private synchronized void begin(long readBytes) {
        if (reads == 0) {
            depth.resumed(System.nanoTime());
        }
        bytes += readBytes;
        reads++;
    }

    private synchronized boolean endWantsHelp(long readBytes) {
        depth.ended(readBytes, bytes, System.nanoTime());
        bytes -= readBytes;
        reads--;
        boolean wantsHelp = isHeldBack && bytes < depth.bytes() / 2;
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
