package io.zarrengine.zarr.sink;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;

/**
 * Takes the chunks of a request whose elements do not go to host memory. Threads: the workers,
 * several at a time.
 */
public interface ChunkSink {
    /**
     * Takes a chunk.
     *
     * @param pipeline decodes the chunk
     * @param encoded the encoded bytes; valid during the call, or, in memory that the sink has
     *     lent, until the sink gives that memory back
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     * @param workspace of the worker
     * @param label names the chunk in messages
     * @throws CodecException if the chunk is corrupt
     */
    void take(
            ChunkPipeline pipeline,
            MemorySegment encoded,
            List<Region> parts,
            Workspace workspace,
            Supplier<String> label)
            throws CodecException;

    /**
     * {@return the size of the blocks in which the sink takes a chunk that is stored as it is, in
     * bytes; 0 if it takes the whole chunk at once}
     *
     * @param file that holds the chunk
     * @param pipeline decodes the chunk
     */
    default long blockBytes(FileHandle file, ChunkPipeline pipeline) {
        return 0;
    }

    /**
     * Takes a block of a chunk that has {@link #blockBytes}.
     *
     * @param pipeline decodes the chunk
     * @param block the position of the block
     * @param bytes of the block; valid as long as those of a chunk
     * @param parts the positions wanted, in the block's dimensions; at least one
     * @param label names the chunk in messages
     */
    default void takeBlock(
            ChunkPipeline pipeline,
            ChunkBlock block,
            MemorySegment bytes,
            List<Region> parts,
            Supplier<String> label) {
        throw new UnsupportedOperationException("blockBytes is 0");
    }

    /**
     * {@return whether the sink lends memory for reads of files, as long as it has some}
     *
     * @param alignment of the reads, in bytes
     */
    default boolean lendsFor(int alignment) {
        return false;
    }

    /**
     * {@return memory to read a file into, which the caller then passes to {@link #take} or {@link
     * #takeBlock}, and which the sink may keep from then on; null if the worker must use its own
     * memory}
     *
     * @param bytes size of the read, of a file that the sink {@link #lendsFor}
     */
    default LentMemory tryLend(long bytes) {
        throw new UnsupportedOperationException("it lends for no file");
    }

    /**
     * {@return the longest run of several chunks that the sink reads by itself, in bytes; 0 if the
     * worker must read them}
     *
     * @param file that holds the chunks
     * @param pipeline decodes the chunks
     */
    default long readsItself(FileHandle file, ChunkPipeline pipeline) {
        return 0;
    }

    /**
     * {@return whether the sink currently reads several stretches of a part of a file at once, as
     * one stretch that includes the gaps}
     *
     * @param file that holds the stretches
     * @param offset of the part in the file, in bytes
     * @param bytes length of the part
     */
    default boolean readsTogether(FileHandle file, long offset, long bytes) {
        return false;
    }

    /**
     * Reads chunks and takes them, if it can.
     *
     * @param stretch of a file
     * @param workspace of the worker
     * @return false if the worker must read the bytes and pass them to {@link #take}
     */
    default boolean tryRead(StoredStretch stretch, Workspace workspace) {
        return false;
    }

    /**
     * Takes a chunk that was never written.
     *
     * @param pipeline would decode the chunk
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     * @param element the value of each element, in native byte order
     */
    void fill(ChunkPipeline pipeline, List<Region> parts, MemorySegment element);
}
