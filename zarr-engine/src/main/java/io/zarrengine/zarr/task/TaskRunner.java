package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.FileParts;
import io.zarrengine.uring.MappedReader.PartCopier;
import io.zarrengine.zarr.decode.Placer;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.shard.ShardIndex;
import io.zarrengine.zarr.store.StoredObject;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Runs the tasks of a request: a worker, or the calling thread does. Owner: one thread. */
public interface TaskRunner {
    /** {@return the placer of this thread} */
    Placer placer();

    /** {@return how many threads share the work} */
    int workers();

    /**
     * Continues a shard with its index: at once if it is known, else when it has been read. If this
     * throws, nothing has begun.
     */
    void findIndex(IndexWaiter shard);

    /**
     * Decodes, checks and keeps the index of a shard.
     *
     * @return the index, which the caller closes
     */
    ShardIndex addIndex(IndexWaiter shard, MemorySegment encoded) throws CodecException;

    /** {@return the longest stretch of several pieces of a file, in bytes} */
    long fusedBytesMax(FileHandle file);

    /**
     * Hands out a part of a request. Never throws: a part that cannot be handed out fails and ends.
     */
    void offer(WorkSource source);

    /**
     * Reads a stretch: {@link ReadTask#arrived} and {@link ReadTask#ended} follow, sooner or later.
     * Never throws: an error fails the task.
     */
    void startRead(ReadTask task, int stretch, long fileOffset, long bytes, long workspaceBytes);

    /**
     * Counts bytes that a sink has read on this thread, because other tasks must get their turn.
     */
    void countRead(long bytes);

    /**
     * Reads bytes that are in the page cache to a target, at once.
     *
     * @param pieces of the target
     * @return whether all of it was there; if not, the target's content is undefined
     */
    boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces);

    /** {@return whether {@link #copyNow} can copy from a file} */
    boolean isMapped(FileHandle file);

    /**
     * Copies parts of a file from the page cache, at once.
     *
     * @return whether all of them were there; if not, what the copier wrote is undefined
     */
    boolean copyNow(FileHandle file, FileParts parts, PartCopier copier);

    /** Has the store asked again for damaged bytes, which may have come so only once. */
    private static void forgetKept(ReadTask task) {
        if (task.file() instanceof StoredObject object) {
            object.kept().ifPresent(kept -> kept.forget());
        }
    }

    /** Passes a stretch that was read to its task. */
    default void deliver(ReadTask task, int stretch, MemorySegment bytes) {
        RecordedRead recorded = task.recorded();
        long begin = recorded == null ? 0 : System.nanoTime();
        try {
            task.arrived(this, stretch, bytes);
        } catch (CodecException e) {
            forgetKept(task);
            throw e.ofChunk(task.describe(stretch));
        } catch (CorruptChunkException e) {
            forgetKept(task);
            throw e;
        } finally {
            if (recorded != null) {
                recorded.worked(System.nanoTime() - begin);
            }
        }
    }
}
