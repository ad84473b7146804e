package io.zarrengine.zarr.execute;

/**
 * Limits how many bytes all workers together read to lent memory at once: memory of sinks. Workers
 * do not decode such reads, so a few workers keep a drive busy, and the others sleep or do other
 * work.
 *
 * <p>A worker asks for room and then begins a read. If many workers ask at once, they exceed the
 * limit for a while.
 *
 * <p>Threads: any.
 */
final class LentReads {
    /**
     * The limit for all workers, in bytes: enough to keep one drive busy. Many drives deliver less
     * if more reads wait (docs/decisions/landing-memory.md).
     */
    static final long DEPTH_BYTES = 3584 << 10;

    /** The smallest limit for one worker, in bytes. */
    private static final long WINDOW_BYTES_MIN = 1 << 20;

    /** However long reads are, one is passed to the sink while another is read. */
    private static final int READS_MIN = 2;

    private final long windowBytes; // the limit for one worker
    private final Runnable wakeAll;
    private long bytes; // under way, of all workers; guarded by this
    private int reads; // under way, of all workers; guarded by this
    private boolean isHeldBack; // a worker found no room and may sleep; guarded by this

    /** {@code wakeAll} has all workers look for work; it never throws. */
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

    /** Counts the reads of one worker to lent memory. Owner: the worker. Threads: the worker's. */
    final class Window {
        private long underWay; // bytes of reads that have not ended
        private long taken; // bytes of lent memory that is not given back: of all these reads

        /**
         * {@return whether this worker may begin another read} If not, the worker asks again when
         * one of its reads arrives or is freed, or when it is woken.
         */
        boolean hasRoom() {
            return underWay < windowBytes
                    && taken < windowBytes + windowBytes / 2
                    && LentReads.this.hasRoom();
        }

        /**
         * {@return whether this worker has far more reads to lent memory than it should} A source
         * cannot always tell where its reads will go, so a worker may exceed its limit.
         */
        boolean isOverfull() {
            return taken >= 2 * windowBytes;
        }

        void begin(long readBytes) {
            underWay += readBytes;
            taken += readBytes;
            LentReads.this.begin(readBytes);
        }

        /**
         * Notes that a read has ended. The worker that began it usually begins the next one. Other
         * workers are woken only if few reads are left under way.
         */
        void arrived(long readBytes) {
            underWay -= readBytes;
            if (endWantsHelp(readBytes)) {
                wakeAll.run();
            }
        }

        /** Notes that the lent memory of a read was given back. */
        void free(long readBytes) {
            taken -= readBytes;
        }
    }
}
