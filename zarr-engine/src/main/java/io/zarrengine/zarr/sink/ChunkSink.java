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
 * Takes the chunks of a request whose elements do not go to memory of the host. Threads: the
 * workers, several at a time.
 */
public interface ChunkSink {
    /**
     * Takes a chunk.
     *
     * @param pipeline how it is encoded
     * @param encoded its bytes; valid during the call, and where the sink has lent memory for them
     *     as long as it keeps that
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     * @param workspace the worker's
     * @param label what the chunk is, for messages
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
     * bytes; 0 if it takes all of it at once}
     *
     * @param file that holds it
     * @param pipeline how it is encoded
     */
    default long blockBytes(FileHandle file, ChunkPipeline pipeline) {
        return 0;
    }

    /**
     * Takes a block of a chunk that has {@link #blockBytes}.
     *
     * @param pipeline how the chunk is encoded
     * @param block what of it
     * @param bytes the block's; valid as those of a chunk
     * @param parts the positions wanted, in the block's dimensions; at least one
     * @param label what the chunk is, for messages
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
     * @param alignment of the files' reads, in bytes
     */
    default boolean lendsFor(int alignment) {
        return false;
    }

    /**
     * {@return memory that bytes of a file are read to, before they are passed to {@link #take} or
     * {@link #takeBlock}, which then may keep it; null if they go to memory of the worker's}
     *
     * @param bytes how many are read, of a file that the sink {@link #lendsFor}
     */
    default LentMemory tryLend(long bytes) {
        throw new UnsupportedOperationException("it lends for no file");
    }

    /**
     * {@return the longest run of several chunks that the sink reads itself, in bytes; 0 if it
     * wants to be given the bytes of such chunks}
     *
     * @param file that holds them
     * @param pipeline how they are encoded
     */
    default long readsItself(FileHandle file, ChunkPipeline pipeline) {
        return 0;
    }

    /**
     * {@return whether the sink, for now, reads several stretches of a part of a file at once: they
     * are one to it, with whatever lies between them}
     *
     * @param file that holds them
     * @param offset where the part begins, in bytes
     * @param bytes its length
     */
    default boolean readsTogether(FileHandle file, long offset, long bytes) {
        return false;
    }

    /**
     * Reads chunks and takes them, if it can.
     *
     * @param stretch of a file
     * @param workspace the worker's
     * @return false if their bytes must be passed to {@link #take} after all
     */
    default boolean tryRead(StoredStretch stretch, Workspace workspace) {
        return false;
    }

    /**
     * Takes a chunk that was never written.
     *
     * @param pipeline how it would be encoded
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     * @param element what each of its elements is, in native byte order
     */
    void fill(ChunkPipeline pipeline, List<Region> parts, MemorySegment element);
}
