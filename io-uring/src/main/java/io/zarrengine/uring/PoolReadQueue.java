package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The queue used without io_uring: each read waits in a thread of a pool. */
final class PoolReadQueue implements ReadQueue {
    private static final int FILES_MIN = 64;

    /** EINTR and EAGAIN without progress in a row, before the read fails. */
    private static final int RETRIES_MAX = 64;

    private final BlockingReadPool pool;
    private final AttachedFiles files;
    private final ReadSlots slots;

    private final int[] queued; // slots to submit in poll or await
    private int queuedCount;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final int[] ended; // slots, guarded by lock
    private int endedCount; // guarded by lock
    private boolean woken; // guarded by lock

    private final int[] reported; // copy of ended, used outside the lock
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong retries = new AtomicLong();
    private long reads;
    private long bytesRead;

    PoolReadQueue(BlockingReadPool pool, int capacity) {
        this.pool = pool;
        this.files = new AttachedFiles(Math.max(capacity, FILES_MIN));
        this.slots = new ReadSlots(capacity);
        this.queued = new int[capacity];
        this.ended = new int[capacity];
        this.reported = new int[capacity];
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
        return files.add(file);
    }

    @Override
    public void detach(int fileNumber) {
        files.remove(fileNumber);
    }

    @Override
    public int attachedMax() {
        return files.max();
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
        queued[queuedCount++] = slot;
    }

    @Override
    public void readScattered(
            int fileNumber, long fileOffset, List<MemorySegment> pieces, int token) {
        FileHandle file = files.get(fileNumber);
        queued[queuedCount++] = slots.takeScattered(file, fileNumber, fileOffset, pieces, token);
    }

    @Override
    public int poll(ReadListener listener) {
        submit();
        return report(takeEnded(0), listener);
    }

    @Override
    public int await(ReadListener listener, BooleanSupplier nothingToDo) {
        submit();
        return report(takeEnded(nothingToDo.getAsBoolean() ? Long.MAX_VALUE : 0), listener);
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean drain(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        ReadListener nobody = (token, result) -> {};
        submit();
        while (inFlight() > 0) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            report(takeEnded(left), nobody);
        }
        return true;
    }

    @Override
    public ReadCounters counters() {
        return new ReadCounters(reads, bytesRead, calls.get(), retries.get());
    }

    @Override
    public void close() {
        if (inFlight() > 0) {
            throw new IllegalStateException(inFlight() + " reads are in flight");
        }
        files.close();
    }

    private void submit() {
        for (int i = 0; i < queuedCount; i++) {
            int slot = queued[i];
            try {
                pool.execute(reader -> readWhole(reader, slot));
            } catch (OutOfMemoryError e) { // Java's error if it can start no thread.
                slots.fail(slot, -Errno.EAGAIN); // The errno of pthread_create(3).
                hasEnded(slot);
            }
        }
        queuedCount = 0;
    }

    /** Runs on a thread of the pool, which owns the slot until it is in {@code ended}. */
    private void readWhole(BlockingReader reader, int slot) {
        boolean again = true;
        try {
            while (again) {
                again = readPart(reader, slot);
            }
        } finally {
            if (again) {
                slots.fail(slot, -Errno.EIO); // A bug threw. The owner must not wait forever.
            }
            hasEnded(slot);
        }
    }

    private void hasEnded(int slot) {
        lock.lock();
        try {
            ended[endedCount++] = slot;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the read must go on. */
    private boolean readPart(BlockingReader reader, int slot) {
        calls.incrementAndGet();
        long result =
                slots.pieces(slot) == null
                        ? reader.read(
                                files.get(slots.fileNumber(slot)),
                                slots.fileOffset(slot),
                                slots.memory(slot),
                                slots.memoryOffset(slot),
                                slots.bytesLeft(slot))
                        : readPiece(reader, slot);
        boolean again = slots.advance(slot, (int) result, RETRIES_MAX);
        if (again) {
            retries.incrementAndGet();
        }
        return again;
    }

    /** Continues in the first piece that is not full. */
    private long readPiece(BlockingReader reader, int slot) {
        long skipped = slots.result(slot);
        Iterator<MemorySegment> pieces = slots.pieces(slot).iterator();
        MemorySegment piece = pieces.next();
        while (skipped >= piece.byteSize()) {
            skipped -= piece.byteSize();
            piece = pieces.next();
        }
        return reader.read(
                files.get(slots.fileNumber(slot)),
                slots.fileOffset(slot),
                piece,
                skipped,
                piece.byteSize() - skipped);
    }

    /**
     * Moves the ended slots to {@code reported}; waits for one, or for a wake-up. An interrupt does
     * not end the wait, because the owner's memory is lent; the interrupt flag is set again
     * afterwards.
     */
    private int takeEnded(long waitNanosMax) {
        boolean interrupted = false;
        long left = waitNanosMax;
        lock.lock();
        try {
            while (endedCount == 0 && !woken && left > 0) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            woken = false;
            System.arraycopy(ended, 0, reported, 0, endedCount);
            int count = endedCount;
            endedCount = 0;
            return count;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int report(int count, ReadListener listener) {
        for (int i = 0; i < count; i++) {
            int slot = reported[i];
            long result = slots.result(slot);
            int token = slots.token(slot);
            slots.release(slot);
            reads++;
            bytesRead += Math.max(result, 0);
            listener.completed(token, result);
        }
        return count;
    }
}
