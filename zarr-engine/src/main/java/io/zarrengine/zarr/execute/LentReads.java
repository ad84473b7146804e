package io.zarrengine.zarr.execute;

/**
 * Limits the reads under way, of all workers together, to memory that sinks lend. Workers do not
 * decode these reads, so few workers keep a drive busy, and the others sleep or do other work.
 *
 * <p>A worker that finds room begins a read, so many workers that look at once exceed the limit for
 * a while.
 *
 * <p>Threads: any.
 */
final class LentReads {
    /**
     * Bytes that should be under way of the drive: enough for one drive. Many drives give less when
     * more reads wait for them (docs/decisions/landing-memory.md).
     */
    static final long DEPTH_BYTES = 3584 << 10;

    /** The minimum for one worker, in bytes. */
    private static final long WINDOW_BYTES_MIN = 1 << 20;

    /** One is passed on while the other is read, however long they are. */
    private static final int READS_MIN = 2;

    private final long windowBytes; // what one worker has under way of them
    private final Runnable wakeAll;
    private long bytes; // under way; this and the next two: guarded by this
    private int reads; // under way
    private boolean isHeldBack; // somebody left work to others, and may sleep

    /** {@code wakeAll}: has the workers look for work; never throws. */
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

        /** Notes that the memory of a read is free. */
        void free(long readBytes) {
            taken -= readBytes;
        }
    }
}
