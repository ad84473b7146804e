package io.zarrengine.zarr.execute;

/**
 * How much is under way, of all workers together, to memory that sinks lend. There it only arrives,
 * so few workers keep a drive busy, and the others sleep, or work for somebody else.
 *
 * <p>Whoever finds room begins a read, so where many look at once there are more for a while: none
 * of them is followed by another.
 *
 * <p>Threads: any.
 */
final class LentReads {
    /** A worker is not to be alone with all that arrives. */
    private static final long WINDOW_BYTES_MIN = 1 << 20;

    /** One is passed on while the other is read, however long they are. */
    private static final int READS_MIN = 2;

    private final long windowBytes; // what one worker has under way of them
    private final Runnable wakeAll;
    private final DriveDepth depth = new DriveDepth(); // this and the next three: guarded by this
    private long bytes; // under way
    private int reads; // likewise
    private boolean isHeldBack; // somebody left work to others, and may sleep

    /** {@code wakeAll}: has the workers look for work; never throws. */
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

    /** What one worker has of them. Owner: the worker. Threads: its own. */
    final class Window {
        private long underWay; // in bytes
        private long taken; // likewise: under way, or arrived and not freed

        /**
         * {@return whether another read may begin, beside those that arrived, if they are few} If
         * none may, look again when one of this worker's has arrived or is freed, or when it is
         * woken.
         */
        boolean hasRoom() {
            return underWay < windowBytes
                    && taken < windowBytes + windowBytes / 2
                    && LentReads.this.hasRoom();
        }

        /** {@return whether there are far more than should be: nobody knew where they would go} */
        boolean isOverfull() {
            return taken >= 2 * windowBytes;
        }

        void begin(long readBytes) {
            underWay += readBytes;
            taken += readBytes;
            LentReads.this.begin(readBytes);
        }

        /**
         * A read is not under way any more. Who has begun reads goes on with others; only where
         * they get few, others are to help.
         */
        void arrived(long readBytes) {
            underWay -= readBytes;
            if (endWantsHelp(readBytes)) {
                wakeAll.run();
            }
        }

        /** Nor is its memory needed. */
        void free(long readBytes) {
            taken -= readBytes;
        }
    }
}
