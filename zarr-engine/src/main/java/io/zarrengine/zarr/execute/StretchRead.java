package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.uring.FileParts;
import io.zarrengine.uring.reading.ReadMemory;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.sink.LentMemory;
import io.zarrengine.zarr.task.ReadTask;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * One read of a worker: from when it wants memory until that is free again. Reused. Owner: one
 * worker.
 */
final class StretchRead {
    /** The result of a read of an object that does not exist. */
    static final long MISSING = -Errno.ENOENT;

    final int token; // in the worker's queue
    ReadTask task; // null while it is free
    int stretch;
    long fileOffset; // in bytes
    long bytes;
    long readOffset; // what is read for it begins here, at a multiple of the file's alignment
    long readBytes;
    long workspaceBytes; // what decoding will take
    int fileNumber; // in the worker's queue, or -1
    boolean isFromDiskCache; // it began as a read of the cache on disk, which is a file
    long result; // what the queue reported
    private Throwable failure; // of a store; null if it has not failed, and for files
    private long begun; // in ns; set if somebody records it

    private long slot = -1; // where it lies in the worker's memory, or -1
    private LentMemory lent; // or memory of who takes it, or null
    private LentReads.Window counted; // as one that goes there; null: it is not
    private boolean isUnderWay; // and so counted
    private NativeMemory large; // or its own memory, where the worker's is too small
    private MemorySegment memory;
    private long reservedToRead; // bytes of the budget
    private long reservedToDecode; // likewise

    StretchRead(int token) {
        this.token = token;
    }

    /** What the queue reports. */
    void arrived(long newResult) {
        result = newResult;
        endUnderWay();
        RecordedRead recorded = task.recorded();
        if (recorded != null) {
            recorded.read(Math.max(result, 0), System.nanoTime() - begun);
        }
    }

    void set(ReadTask newTask, int newStretch, long newOffset, long newBytes, long newWorkspace) {
        task = newTask;
        stretch = newStretch;
        fileOffset = newOffset;
        bytes = newBytes;
        long alignment = newTask.file().alignment();
        readOffset = newOffset & -alignment;
        readBytes = (newOffset + newBytes - readOffset + alignment - 1) & -alignment;
        if (newOffset < 0) { // The end of an object, wherever its blocks begin.
            readBytes = (newBytes + 2 * (alignment - 1)) & -alignment;
            readOffset = -readBytes;
        }
        workspaceBytes = newWorkspace;
        fileNumber = -1;
        isFromDiskCache = false;
        failure = null;
        begun = newTask.recorded() == null ? 0 : System.nanoTime();
    }

    /**
     * Whether nothing was reserved to decode, and something can be: then decoding has been measured
     * with what was left of other chunks in the worker's memory.
     */
    boolean canHaveMore(MemoryBudget budget) {
        return reservedToDecode == 0 && reservedToRead < budget.bytesMax();
    }

    /** What must be reserved to read, because it is more than a worker has from the start. */
    long bytesToRead(ReadMemory workerMemory) {
        return readBytes > workerMemory.readBytesMax() ? readBytes : 0;
    }

    /**
     * What should be reserved to decode; what decoding takes may have been guessed, so no more than
     * there is.
     */
    long bytesToDecode(ReadMemory workerMemory, MemoryBudget budget, long workerWorkspaceBytes) {
        long left = budget.bytesMax() - bytesToRead(workerMemory);
        return Math.max(Math.min(workspaceBytes - workerWorkspaceBytes, left), 0);
    }

    /**
     * Takes memory; false if there is none now.
     *
     * @throws OutOfMemoryError if the machine has none; {@link #freeMemory} frees the rest
     */
    boolean takeMemory(ReadMemory workerMemory, MemoryBudget budget, long workerWorkspaceBytes) {
        long toRead = bytesToRead(workerMemory);
        boolean isOwn = toRead > 0;
        lent = isOwn ? null : task.tryLend(readBytes);
        boolean isWorkers = !isOwn && lent == null;
        slot = isWorkers ? workerMemory.take(readBytes) : -1;
        if (isWorkers && slot < 0) {
            return false;
        }
        long toDecode = bytesToDecode(workerMemory, budget, workerWorkspaceBytes);
        if (toRead + toDecode > 0 && !budget.tryReserve(toRead + toDecode)) {
            giveBack(workerMemory);
            return false;
        }
        reservedToRead = toRead;
        reservedToDecode = toDecode;
        large = isOwn ? NativeMemory.allocate(readBytes) : null;
        memory = isOwn ? large.segment() : isWorkers ? workerMemory.segment() : lent.segment();
        return true;
    }

    /** {@return the part of the file that is read} */
    FileParts part() {
        return new FileParts.One(readOffset, readBytes);
    }

    /** {@return whether it goes to memory that was lent: then it is counted there from now on} */
    boolean beginIfLent(LentReads.Window window, WorkerReads queue) {
        if (lent == null) {
            return false;
        }
        queue.register(lent.whole());
        counted = window;
        isUnderWay = true;
        window.begin(readBytes);
        return true;
    }

    /** {@return whether the worker's window counts it: a file, read to the worker's memory} */
    boolean isInWindow() {
        return counted == null && (isFromDiskCache || !task.file().isObject());
    }

    boolean isCountedAsLent() {
        return counted != null;
    }

    private void endUnderWay() {
        if (isUnderWay) {
            isUnderWay = false;
            counted.arrived(readBytes);
        }
    }

    private void uncount() {
        endUnderWay();
        if (counted != null) {
            counted.free(readBytes);
            counted = null;
        }
    }

    MemorySegment memory() {
        return memory;
    }

    long memoryOffset() {
        return Math.max(slot, 0);
    }

    /** Copies what was to be read. */
    void fill(MemorySegment bytes) {
        MemorySegment.copy(bytes, 0, memory, memoryOffset(), readBytes);
    }

    /** Notes why a store could not read it; null if it could. */
    void setFailure(Throwable ofStore) {
        failure = ofStore;
    }

    /** The bytes that were wanted, or what there is of them; null if there is no such object. */
    MemorySegment content() {
        if (task.takesWhatThereIs()) {
            return result == MISSING
                    ? null
                    : memory.asSlice(memoryOffset() + skippedBytes(), arrivedBytes());
        }
        return memory.asSlice(memoryOffset() + skippedBytes(), bytes);
    }

    /** How many bytes the read brought before those that were wanted. */
    private long skippedBytes() {
        long skipped = fileOffset < 0 ? result - bytes : fileOffset - readOffset;
        return Math.clamp(skipped, 0, Math.max(result, 0));
    }

    /** How many of the bytes wanted the read brought; fewer than that where the file ends. */
    long arrivedBytes() {
        return Math.clamp(result - skippedBytes(), 0, bytes);
    }

    /**
     * Checks what the queue reported.
     *
     * @throws StoreException if it could not be read
     * @throws CorruptChunkException if the file ends before
     */
    void checkResult() {
        boolean isThere = result >= 0 && arrivedBytes() == bytes;
        if (failure == null && (isThere || task.takesWhatThereIs())) {
            return;
        }
        String subject =
                task.describe(stretch) + " at byte " + fileOffset + ", " + bytes + " bytes";
        if (failure != null) {
            throw storeFailed(subject);
        }
        if (result < 0) {
            ErrnoException cause = new ErrnoException("read", subject, result);
            throw new StoreException(subject, Errno.words(-result), cause);
        }
        throw new CorruptChunkException(
                subject, "the file ends after " + arrivedBytes() + " of them", null);
    }

    private StoreException storeFailed(String subject) {
        return failure instanceof IOException cause
                ? StoreException.of(subject, cause)
                : new StoreException(subject, "the store failed: " + failure, failure);
    }

    /** What its requests fail with: that there is no memory to read or decode it. */
    Throwable describe(OutOfMemoryError cause) {
        try {
            String subject = task.describe(stretch);
            return OutOfMemoryException.ofChunk(subject, bytes, cause);
        } catch (OutOfMemoryError e) { // Of Java's own heap.
            return cause;
        }
    }

    /** The same where the budget does not suffice. */
    Throwable describe(MemoryShortException cause, ExecutorOptions options) {
        try {
            return cause.isOfResult()
                    ? cause.toBudgetExceeded(task.describe(stretch), options.budgetBytes())
                    : budgetExceeded(reservedToRead, cause.neededBytes(), options);
        } catch (OutOfMemoryError e) { // Of Java's own heap.
            return e;
        }
    }

    private BudgetExceededException budgetExceeded(
            long toRead, long toDecode, ExecutorOptions options) {
        return BudgetExceededException.ofEngine(
                task.describe(stretch),
                toRead + Math.max(toDecode, workspaceBytes),
                options.largeBytesMax() + options.workspaceBytes(),
                options.budgetBytes());
    }

    /**
     * Checks that there will be memory to read.
     *
     * @throws BudgetExceededException if there never is
     */
    void requireMemory(ReadMemory workerMemory, ExecutorOptions options) {
        long toRead = bytesToRead(workerMemory);
        if (toRead > options.largeBytesMax()) {
            throw budgetExceeded(toRead, 0, options);
        }
    }

    /** Has its requests fail, whether there is memory to tell anybody or not. */
    void fail(Throwable cause) {
        try {
            task.fail(cause);
        } catch (OutOfMemoryError e) {
            task.fail(e);
        }
    }

    /** It fails, and ends; its memory is freed later. */
    void abandon(Throwable cause) {
        ReadTask abandoned = task;
        try {
            fail(cause);
            abandoned.ended(stretch);
        } catch (OutOfMemoryError e) {
            fail(e);
        } finally {
            task = null;
            uncount(); // Whoever has its memory: others need not wait for it.
        }
    }

    /** What of the budget is reserved to read. */
    long reservedToRead() {
        return reservedToRead;
    }

    /** What of the budget is reserved to decode. */
    long reservedToDecode() {
        return reservedToDecode;
    }

    void freeMemory(ReadMemory workerMemory, MemoryBudget budget) {
        uncount();
        giveBack(workerMemory);
        if (large != null) {
            large.close();
        }
        giveUpMemory(budget);
        task = null;
    }

    private void giveBack(ReadMemory workerMemory) {
        if (slot >= 0) {
            workerMemory.free(slot, readBytes);
            slot = -1;
        }
        if (lent != null) {
            LentMemory done = lent;
            lent = null;
            done.close();
        }
    }

    /**
     * Leaves the memory to the kernel, for good. The budget gets it back all the same: others would
     * wait for it for ever.
     */
    void giveUpMemory(MemoryBudget budget) {
        uncount();
        lent = null;
        large = null;
        memory = null;
        long reserved = reservedToRead + reservedToDecode;
        reservedToRead = 0;
        reservedToDecode = 0;
        if (reserved > 0) {
            budget.release(reserved);
        }
    }
}
