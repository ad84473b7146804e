package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.LibC;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Runs reads on one ring: submits, reaps, then calls back, in that order and on one thread.
 *
 * <p>A read keeps its slot until it is complete: a short read requests the rest, an interrupted one
 * is submitted again. A listener may queue further reads; the next call submits them.
 */
final class RingReadQueue implements ReadQueue {
    /** Most bytes of one submission. Linux would stop at 0x7ffff000 bytes. */
    private static final long PART_BYTES_MAX = 1L << 30;

    /** EINTR and EAGAIN without progress in a row, before the read fails. */
    private static final int RETRIES_MAX = 64;

    private static final int REAP_BATCH = 256;
    private static final long DRAIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Ring ring;
    private final AttachedFiles files;
    private final ReadSlots slots;

    private final int[] reapedSlots = new int[REAP_BATCH];
    private final int[] reapedResults = new int[REAP_BATCH];

    private long reads;
    private long bytesRead;
    private long retries;

    /** Takes ownership of the ring, and closes it if this fails. */
    RingReadQueue(Ring ring, int capacity) {
        this.ring = ring;
        try {
            if (capacity > ring.entries()) {
                throw new IllegalArgumentException(
                        capacity + " reads do not fit in a ring of " + ring.entries() + " entries");
            }
            files = new AttachedFiles(ring.filesMax());
            slots = new ReadSlots(capacity);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            ring.close();
            throw t;
        }
    }

    @Override
    public int capacity() {
        return slots.capacity();
    }

    @Override
    public int inFlight() {
        return slots.inUse();
    }

    @Override
    public int attach(FileHandle file) {
        int number = files.add(file);
        try {
            ring.setFile(number, file);
        } catch (RuntimeException | Error e) {
            files.remove(number);
            throw e;
        }
        return number;
    }

    @Override
    public void detach(int fileNumber) {
        ring.setFile(fileNumber, null);
        files.remove(fileNumber);
    }

    @Override
    public int attachedMax() {
        return files.max();
    }

    @Override
    public void register(MemorySegment memory) {
        ring.register(memory);
    }

    @Override
    public void read(
            int fileNumber,
            long fileOffset,
            MemorySegment memory,
            long memoryOffset,
            long bytes,
            int token) {
        FileHandle file = files.get(fileNumber); // Throws if the number is not attached.
        int slot = slots.take(file, fileNumber, fileOffset, memory, memoryOffset, bytes, token);
        prepare(slot);
    }

    @Override
    public void readScattered(
            int fileNumber, long fileOffset, List<MemorySegment> pieces, int token) {
        FileHandle file = files.get(fileNumber);
        prepare(slots.takeScattered(file, fileNumber, fileOffset, pieces, token));
    }

    @Override
    public int poll(ReadListener listener) throws IOException {
        ring.enter(false);
        return report(listener);
    }

    @Override
    public int await(ReadListener listener, BooleanSupplier nothingToDo) throws IOException {
        ring.enter(nothingToDo.getAsBoolean());
        return report(listener);
    }

    @Override
    public void wake() {
        ring.wake();
    }

    @Override
    public boolean drain(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        ReadListener nobody = (token, result) -> {};
        while (inFlight() > 0) {
            try {
                poll(nobody);
            } catch (IOException e) {
                return false; // A broken ring reports nothing any more.
            }
            if (inFlight() > 0) {
                if (System.nanoTime() - deadline > 0) {
                    return false;
                }
                LockSupport.parkNanos(DRAIN_PAUSE_NANOS);
            }
        }
        return true;
    }

    @Override
    public ReadCounters counters() {
        return new ReadCounters(reads, bytesRead, ring.enters(), retries);
    }

    @Override
    public void close() {
        if (inFlight() > 0) {
            throw new IllegalStateException(inFlight() + " reads are in flight");
        }
        ring.close();
        files.close();
    }

    /**
     * Reports the completions that are ready now, without those of reads that the listener queues.
     */
    private int report(ReadListener listener) {
        int reported = 0;
        int reaped;
        do {
            reaped = ring.reap(reapedSlots, reapedResults);
            for (int i = 0; i < reaped; i++) {
                reported += complete(reapedSlots[i], reapedResults[i], listener) ? 1 : 0;
            }
        } while (reaped == REAP_BATCH);
        return reported;
    }

    /** Returns whether the read has ended. */
    private boolean complete(int slot, int result, ReadListener listener) {
        boolean flagRefused =
                result == -Errno.EOPNOTSUPP
                        && files.get(slots.fileNumber(slot)).stopsDroppingBehind();
        if (flagRefused || slots.advance(slot, result, RETRIES_MAX)) {
            retries++;
            prepare(slot);
            return false;
        }
        long done = slots.result(slot);
        int token = slots.token(slot);
        slots.release(slot);
        reads++;
        bytesRead += Math.max(done, 0);
        listener.completed(token, done);
        return true;
    }

    private void prepare(int slot) {
        int fileNumber = slots.fileNumber(slot);
        int flags = files.get(fileNumber).dropsBehind() ? LibC.RWF_DONTCACHE : 0;
        List<MemorySegment> pieces = slots.pieces(slot);
        if (pieces != null) {
            ring.prepareScattered(
                    slot, fileNumber, slots.fileOffset(slot), pieces, slots.result(slot), flags);
            return;
        }
        ring.prepareRead(
                slot,
                fileNumber,
                slots.fileOffset(slot),
                slots.memory(slot),
                slots.memoryOffset(slot),
                (int) Math.min(slots.bytesLeft(slot), PART_BYTES_MAX),
                flags);
    }
}
