package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.MappedReader.PartCopier;
import io.zarrengine.uring.plan.FileParts;
import io.zarrengine.zarr.decode.Placer;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.shard.ShardIndex;
import io.zarrengine.zarr.store.StoredObject;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Runs the tasks of a request, on a worker or on the calling thread. Owner: one thread. */
public interface TaskRunner {
    /** {@return the placer of this thread} */
    Placer placer();

    /** {@return how many workers share the work} */
    int workers();

    /**
     * Continues a shard with its index: at once if the index is cached, otherwise when the index
     * has been read. If this throws, nothing has begun.
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
     * Reads a stretch. {@link ReadTask#arrived} follows if the read succeeds and is still wanted,
     * and {@link ReadTask#ended} follows always. Never throws: an error fails the task.
     */
    void startRead(ReadTask task, int stretch, long fileOffset, long bytes, long workspaceBytes);

    /** Counts bytes that a sink has read on this thread, so that other tasks get their turn. */
    void countRead(long bytes);

    /**
     * Reads bytes from the page cache to a target, and does not wait for a disk.
     *
     * @param pieces of the target, in the order of the file
     * @return whether all bytes were in the page cache; if not, the target's content is undefined
     */
    boolean readNow(FileHandle file, long fileOffset, List<MemorySegment> pieces);

    /** {@return whether {@link #copyNow} can copy from a file} */
    boolean isMapped(FileHandle file);

    /**
     * Copies parts of a mapped file from the page cache, and does not wait for a disk.
     *
     * @return whether all parts were in the page cache; if not, what the copier wrote is undefined
     */
    boolean copyNow(FileHandle file, FileParts parts, PartCopier copier);

    /**
     * Removes damaged bytes from the disk cache: the next read asks the store again, whose bytes
     * may be good.
     */
    private static void forgetKept(ReadTask task) {
        if (task.file() instanceof StoredObject object) {
            object.kept().ifPresent(kept -> kept.forget());
        }
    }

    /** Passes a stretch that was read to its task, and names the stretch in failures. */
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
