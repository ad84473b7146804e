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

    /** Fails the requests that it is a part of. Stretches that were started still end. */
    void fail(Throwable cause);

    /** {@return the record for JDK Flight Recorder; null if there is no recording} */
    RecordedRead recorded();

    /** {@return the file} */
    FileHandle file();

    /** {@return memory of a sink for a read; null: it goes to the worker's memory} */
    default LentMemory tryLend(long bytes) {
        return null;
    }

    /**
     * {@return whether the read takes what there is} Then {@link #arrived} gets fewer bytes if the
     * object ends before, and null if there is no object.
     */
    default boolean takesWhatThereIs() {
        return false;
    }

    /** {@return the name of a stretch for messages} */
    String describe(int stretch);

    /**
     * Takes a stretch that was read.
     *
     * @param bytes all of it; valid during the call, or as long as the sink keeps the lent memory
     */
    void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException;

    /** Ends a stretch, also if it failed. Called once for each that was started. */
    void ended(int stretch);
}
