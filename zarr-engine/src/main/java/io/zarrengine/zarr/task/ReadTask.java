package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.sink.LentMemory;
import java.lang.foreign.MemorySegment;

/** A part of a request, or of several, that reads stretches of one file. */
public interface ReadTask {
    /** {@return whether a request still waits for it, and has not failed} */
    boolean isWanted();

    /** Has the requests fail that it is a part of. Stretches that were started still end. */
    void fail(Throwable cause);

    /** {@return what a recording says of its request; null if nobody records that} */
    RecordedRead recorded();

    /** {@return the file} */
    FileHandle file();

    /** {@return memory that so many bytes are to be read to; null: the worker has some} */
    default LentMemory tryLend(long bytes) {
        return null;
    }

    /** {@return what a stretch holds, for messages} */
    String describe(int stretch);

    /**
     * A stretch has been read.
     *
     * @param bytes all of it; valid during the call, or as long as who lent the memory keeps it
     */
    void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException;

    /** A stretch has ended, read or not. Called once for each that was started. */
    void ended(int stretch);
}
