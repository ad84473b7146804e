package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NativeMemoryError;
import io.zarrengine.uring.FileParts;
import io.zarrengine.uring.ReadQueue;
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
import java.lang.foreign.MemorySegment;

/**
 * One read of a worker, from the time when it waits for memory until this is free again. Reused.
 * Owner: one worker.
 */
final class StretchRead {
    final int token; // in the worker's queue
    ReadTask task; // null while it is free
    int stretch;
    long fileOffset; // in bytes
    long bytes;
    long readOffset; // where the aligned read begins in the file, in bytes
    long readBytes;
    long workspaceBytes; // that decoding will take
    int fileNumber; // in the worker's queue, or -1
    long result; // of the queue
    private long begun; // in ns; set if there is a recording

    private long slot = -1; // offset in the worker's memory; -1: the bytes go elsewhere
    private LentMemory lent; // memory of the sink; null: the bytes go elsewhere
    private LentReads.Window counted; // counts a read to lent memory; null: not counted
    private boolean isUnderWay; // and counted so
    private NativeMemory large; // its own memory, if the worker's is too small; else null
    private MemorySegment memory;
    private long reservedToRead; // bytes of the budget
    private long reservedToDecode; // bytes of the budget

    StretchRead(int token) {
        this.token = token;
    }

    /** Takes the result of the queue. */
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
        workspaceBytes = newWorkspace;
        fileNumber = -1;
        begun = newTask.recorded() == null ? 0 : System.nanoTime();
    }

    /**
     * {@return whether more memory can be reserved to decode: none was reserved, so decoding ran
     * with what other chunks had left of the worker's memory}
     */
    boolean canHaveMore(MemoryBudget budget) {
        return reservedToDecode == 0 && reservedToRead < budget.bytesMax();
    }

    /** {@return what must be reserved to read, because it is more than a worker has} */
    long bytesToRead(ReadMemory workerMemory) {
        return readBytes > workerMemory.readBytesMax() ? readBytes : 0;
    }

    /**
     * {@return what should be reserved to decode} The need may be a guess, so this is no more than
     * the budget has.
     */
    long bytesToDecode(ReadMemory workerMemory, MemoryBudget budget, long workerWorkspaceBytes) {
        long left = budget.bytesMax() - bytesToRead(workerMemory);
        return Math.max(Math.min(workspaceBytes - workerWorkspaceBytes, left), 0);
    }

    /**
     * Takes memory; false if there is none now.
     *
     * @throws NativeMemoryError if the machine has none; {@link #freeMemory} frees the rest
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

    /** Counts a read that goes to lent memory; {@return whether it does} */
    boolean beginIfLent(LentReads.Window window, ReadQueue queue) {
        if (lent == null) {
            return false;
        }
        queue.register(lent.whole());
        counted = window;
        isUnderWay = true;
        window.begin(readBytes);
        return true;
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

    /** Copies the bytes instead of reading them. */
    void fill(MemorySegment bytes) {
        MemorySegment.copy(bytes, 0, memory, memoryOffset(), readBytes);
    }

    /** {@return the wanted bytes} */
    MemorySegment content() {
        return memory.asSlice(memoryOffset() + fileOffset - readOffset, bytes);
    }

    /** {@return how many of the wanted bytes were read; fewer than all if the file ends} */
    long arrivedBytes() {
        return Math.clamp(result - (fileOffset - readOffset), 0, bytes);
    }

    /**
     * Checks the result of the queue.
     *
     * @throws StoreException if the read failed
     * @throws CorruptChunkException if the file ends too early
     */
    void checkResult() {
        if (result >= 0 && arrivedBytes() == bytes) {
            return;
        }
        String subject =
                task.describe(stretch) + " at byte " + fileOffset + ", " + bytes + " bytes";
        if (result < 0) {
            ErrnoException cause = new ErrnoException("read", subject, result);
            throw new StoreException(subject, Errno.words(-result), cause);
        }
        throw new CorruptChunkException(
                subject, "the file ends after " + arrivedBytes() + " of them", null);
    }

    /** {@return what its requests fail with if the machine refuses memory for it} */
    OutOfMemoryException describe(NativeMemoryError cause) {
        return OutOfMemoryException.ofChunk(task.describe(stretch), bytes, cause);
    }

    /** {@return what its requests fail with if the budget does not suffice to decode it} */
    BudgetExceededException describe(MemoryShortException cause, ExecutorOptions options) {
        return cause.isOfResult()
                ? cause.toBudgetExceeded(task.describe(stretch), options.budgetBytes())
                : budgetExceeded(reservedToRead, cause.neededBytes(), options);
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
     * Checks that the budget suffices to read.
     *
     * @throws BudgetExceededException if it never does
     */
    void requireMemory(ReadMemory workerMemory, ExecutorOptions options) {
        long toRead = bytesToRead(workerMemory);
        if (toRead > options.largeBytesMax()) {
            throw budgetExceeded(toRead, 0, options);
        }
    }

    /** Fails and ends the read. Its memory is freed later. */
    void abandon(Throwable cause) {
        ReadTask abandoned = task;
        task = null;
        uncount(); // Other workers must not wait for it.
        abandoned.fail(cause);
        abandoned.ended(stretch);
    }

    /** {@return the bytes of the budget that are reserved to read} */
    long reservedToRead() {
        return reservedToRead;
    }

    /** {@return the bytes of the budget that are reserved to decode} */
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
     * Leaves the memory to the kernel for good. The budget gets it back all the same, because other
     * reads would wait for it for ever.
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
