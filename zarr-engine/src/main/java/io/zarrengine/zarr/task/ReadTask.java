package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.sink.LentMemory;
import java.lang.foreign.MemorySegment;

/** A part of one or several requests that reads stretches of one file. Threads: any. */
public interface ReadTask {
    /** {@return whether a request that has not failed still waits for this task} */
    boolean isWanted();

    /** Fails the requests of this task. Stretches that were started still end. */
    void fail(Throwable cause);

    /** {@return the record for JDK Flight Recorder; null if there is no recording} */
    RecordedRead recorded();

    /** {@return the file} */
    FileHandle file();

    /** {@return memory that a sink lends for a read; null if the sink lends none} */
    default LentMemory tryLend(long bytes) {
        return null;
    }

    /**
     * {@return whether missing bytes are no error} If so, {@link #arrived} gets fewer bytes if the
     * object ends before, and null if the object does not exist.
     */
    default boolean takesWhatThereIs() {
        return false;
    }

    /** {@return the name of a stretch for messages} */
    String describe(int stretch);

    /**
     * Takes a stretch that was read.
     *
     * @param bytes the stretch; valid during the call, or as long as the sink keeps the lent memory
     */
    void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException;

    /** Ends a stretch, also after a failure. Called once for each started stretch. */
    void ended(int stretch);
}
