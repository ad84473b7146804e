package io.zarrengine.zarr.execute;

/**
 * How much is under way, of all workers together, to memory that sinks lend. There it only arrives,
 * so few workers keep a drive busy, and the others sleep, or work for somebody else.
 *
 * <p>Threads: any.
 */
final class LentReads {
    /** What one worker has of them, so that it is not alone with all that arrives. */
    private static final long WINDOW_BYTES_MIN = 1 << 20;

    private final long windowBytes;
    private final Runnable wakeAll;
    private final DriveDepth depth = new DriveDepth(); // this and the next two: guarded by this
    private long bytes; // under way
    private boolean isHeldBack; // somebody left work to others, and may sleep

    /** {@code wakeAll}: has the workers look for work; never throws. */
    LentReads(int workers, Runnable wakeAll) {
        this.windowBytes = Math.max(WINDOW_BYTES_MIN, DriveDepth.BYTES_MAX / workers);
        this.wakeAll = wakeAll;
    }

    private synchronized boolean hasRoom() {
        boolean hasRoom = bytes < depth.bytes();
        isHeldBack |= !hasRoom;
        return hasRoom;
    }

    private synchronized void begin(long readBytes) {
        bytes += readBytes;
    }

    /** Who has begun reads goes on with others; only where they get few, others are to help. */
    private void end(long readBytes) {
        if (endWantsHelp(readBytes, System.nanoTime())) {
            wakeAll.run();
        }
    }

    private synchronized boolean endWantsHelp(long readBytes, long now) {
        depth.ended(readBytes, bytes, now);
        bytes -= readBytes;
        boolean wantsHelp = isHeldBack && bytes < depth.bytes() / 2;
        isHeldBack &= !wantsHelp;
        return wantsHelp;
    }

    /** What one worker has of them. Owner: the worker. Threads: its own. */
    final class Window {
        private long taken; // bytes that are under way, or arrived and not freed

        /**
         * {@return whether another read may begin} If none may, look again when a read of this
         * worker has ended, or when it is woken.
         */
        boolean hasRoom() {
            return taken < windowBytes && LentReads.this.hasRoom();
        }

        void begin(long readBytes) {
            taken += readBytes;
            LentReads.this.begin(readBytes);
        }

        /** A read is not under way any more. */
        void arrived(long readBytes) {
            end(readBytes);
        }

        /** Nor is its memory needed. */
        void free(long readBytes) {
            taken -= readBytes;
        }
    }
}
