package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileParts;
import io.zarrengine.uring.MappedReader.PartCopier;
import io.zarrengine.zarr.decode.Placer;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.RecordedRead;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Who runs the tasks of a request: a worker, or the calling thread. Owner: one thread. */
public interface TaskRunner {
    /** {@return decodes and places, on this thread} */
    Placer placer();

    /** {@return how many threads share the work} */
    int workers();

    /**
     * Has a shard go on with its index: at once if it is known, else when it has been read. Throws
     * before anything has begun, or not at all.
     */
    void findIndex(IndexWaiter shard);

    /**
     * {@return the longest stretch of several pieces, in bytes}
     *
     * @param alignment of the file's reads
     */
    long fusedBytesMax(int alignment);

    /** Hands out a part of a request. Never throws: what nobody can be told of fails, and ends. */
    void offer(WorkSource source);

    /**
     * Has a stretch read: {@link ReadTask#arrived} and {@link ReadTask#ended} follow, sooner or
     * later. Never throws: what goes wrong fails the task.
     */
    void startRead(ReadTask task, int stretch, long fileOffset, long bytes, long workspaceBytes);

    /** Counts bytes that a sink has read itself, on this thread: others want their turn. */
    void countRead(long bytes);

    /**
     * Reads to a target what is in the page cache, at once.
     *
     * @param pieces of the target
     * @return whether all of it was there; if not, the target's content is undefined
     */
    boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces);

    /** {@return whether {@link #copyNow} copies what is in memory of a file} */
    boolean isMapped(FileHandle file);

    /**
     * Has parts of a file copied from where the page cache holds them, at once.
     *
     * @return whether all of them were there; if not, what the copier wrote is undefined
     */
    boolean copyNow(FileHandle file, FileParts parts, PartCopier copier);

    /** Passes on what was read. */
    default void deliver(ReadTask task, int stretch, MemorySegment bytes) {
        RecordedRead recorded = task.recorded();
        long begin = recorded == null ? 0 : System.nanoTime();
        try {
            task.arrived(this, stretch, bytes);
        } catch (CodecException e) {
            throw e.ofChunk(task.describe(stretch));
        } finally {
            if (recorded != null) {
                recorded.worked(System.nanoTime() - begin);
            }
        }
    }
}
