package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.uring.plan.FileParts;
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
 * One read of a worker. It begins when the worker asks for its memory, and ends when that memory is
 * free. A worker uses each object for many reads, one after the other.
 *
 * <p>Owner: one worker. Threads: the worker's.
 */
final class StretchRead {
    /** The result of a read of an object that does not exist. */
    static final long MISSING = -Errno.ENOENT;

    final int token; // names this read in the worker's queue
    ReadTask task; // null if this object is free for another read
    int stretch;
    long fileOffset; // of the wanted bytes, in bytes; negative: they are the end of the object
    long bytes; // wanted
    long readOffset; // in bytes: fileOffset, rounded down to the file's alignment
    long readBytes; // from readOffset to the end of the wanted bytes, rounded up
    long workspaceBytes; // memory that decoding is expected to take
    int fileNumber; // names the open file in the worker's queue; -1 if none is open
    boolean isFromDiskCache; // the worker began to read a file of the disk cache
    long result; // bytes that the queue read; negative: an error number
    private Throwable failure; // why the store failed; null if no store did
    private long begun; // System.nanoTime(); 0 without a recording

    // A read has a slot, lent memory or large memory, and never two of them.
    private long slot = -1; // offset in the worker's memory, in bytes; -1 if the read has none
    private LentMemory lent; // memory of the sink that takes the bytes; null if none is lent
    private LentReads.Window counted; // counts this read to lent memory; null for other reads
    private boolean isUnderWay; // whether that window counts this read as under way
    private NativeMemory large; // allocated for this read alone; null for shorter reads
    private MemorySegment memory; // the slot's, lent or large memory
    private long reservedToRead; // bytes of the budget
    private long reservedToDecode; // bytes of the budget

    StretchRead(int token) {
        this.token = token;
    }

    /** Takes the result from the queue: a number of bytes, or a negative error number. */
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
        if (newOffset < 0) { // The size of the object is unknown, so a block may begin anywhere.
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
     * {@return whether another attempt to decode can get more memory than this one} This is so if
     * the read reserved nothing to decode, and so decoded in what other chunks left of the worker's
     * memory.
     */
    boolean canHaveMore(MemoryBudget budget) {
        return reservedToDecode == 0 && reservedToRead < budget.bytesMax();
    }

    /** {@return bytes of the budget to read into; 0 if the worker's own memory is large enough} */
    long bytesToRead(ReadMemory workerMemory) {
        return readBytes > workerMemory.readBytesMax() ? readBytes : 0;
    }

    /**
     * {@return bytes of the budget to decode in; 0 if the worker's own memory is large enough}
     * {@code workspaceBytes} may be a guess, so this is at most what the budget can ever give.
     */
    long bytesToDecode(ReadMemory workerMemory, MemoryBudget budget, long workerWorkspaceBytes) {
        long left = budget.bytesMax() - bytesToRead(workerMemory);
        return Math.max(Math.min(workspaceBytes - workerWorkspaceBytes, left), 0);
    }

    /**
     * Takes memory for the read; returns false if no memory is free now.
     *
     * @throws OutOfMemoryError if the machine has no memory; {@link #freeMemory} then frees what
     *     the read has reserved
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

    /** {@return the aligned part of the file that is read} */
    FileParts part() {
        return new FileParts.One(readOffset, readBytes);
    }

    /** {@return whether the read goes to lent memory} If so, the window counts it from now on. */
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

    /** {@return whether the worker's {@link ReadWindow} counts this read of a file} */
    boolean isInWindow() {
        return counted == null && (isFromDiskCache || !task.file().isObject());
    }

    /** {@return whether a {@link LentReads.Window} counts this read} */
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

    /** Copies the bytes of {@link #part} from a mapped file. */
    void fill(MemorySegment bytes) {
        MemorySegment.copy(bytes, 0, memory, memoryOffset(), readBytes);
    }

    /** Notes why the store failed; null if it did not fail. */
    void setFailure(Throwable ofStore) {
        failure = ofStore;
    }

    /**
     * {@return the wanted bytes} A task that takes what there is gets fewer bytes if the object
     * ends before, and null if the object does not exist.
     */
    MemorySegment content() {
        if (task.takesWhatThereIs()) {
            return result == MISSING
                    ? null
                    : memory.asSlice(memoryOffset() + skippedBytes(), arrivedBytes());
        }
        return memory.asSlice(memoryOffset() + skippedBytes(), bytes);
    }

    /** {@return how many bytes were read before the first wanted byte} */
    private long skippedBytes() {
        long skipped = fileOffset < 0 ? result - bytes : fileOffset - readOffset;
        return Math.clamp(skipped, 0, Math.max(result, 0));
    }

    /** {@return how many wanted bytes were read: fewer than all if the file ends before} */
    long arrivedBytes() {
        return Math.clamp(result - skippedBytes(), 0, bytes);
    }

    /**
     * Checks the result of the read.
     *
     * @throws StoreException if the file or object cannot be read
     * @throws CorruptChunkException if the file ends before the wanted bytes do
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

    /** {@return the failure of its requests if the machine has no memory to read or decode} */
    Throwable describe(OutOfMemoryError cause) {
        try {
            String subject = task.describe(stretch);
            return OutOfMemoryException.ofChunk(subject, bytes, cause);
        } catch (OutOfMemoryError e) { // Of Java's own heap.
            return cause;
        }
    }

    /** {@return the failure of its requests if the budget is too small to decode} */
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
     * Checks that the read can get its memory at some time.
     *
     * @throws BudgetExceededException if the read needs more than large reads may take together
     */
    void requireMemory(ReadMemory workerMemory, ExecutorOptions options) {
        long toRead = bytesToRead(workerMemory);
        if (toRead > options.largeBytesMax()) {
            throw budgetExceeded(toRead, 0, options);
        }
    }

    /** Fails its requests, also if there is no memory to pass on the cause. */
    void fail(Throwable cause) {
        try {
            task.fail(cause);
        } catch (OutOfMemoryError e) {
            task.fail(e);
        }
    }

    /** Fails and ends the task of a worker that broke. The memory is freed later. */
    void abandon(Throwable cause) {
        ReadTask abandoned = task;
        try {
            fail(cause);
            abandoned.ended(stretch);
        } catch (OutOfMemoryError e) {
            fail(e);
        } finally {
            task = null;
            uncount(); // Otherwise other workers would wait for the end of this read.
        }
    }

    /** {@return bytes of the budget that the read has reserved to read into} */
    long reservedToRead() {
        return reservedToRead;
    }

    /** {@return bytes of the budget that the read has reserved to decode in} */
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
     * Gives up the memory, because the kernel or a store may still write to it. The budget gets the
     * reserved bytes back: other reads would wait for them forever.
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
