package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.zarr.decode.Placement;
import io.zarrengine.zarr.diskcache.KeptBlocks;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.store.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A chunk of an array, or an inner chunk that has a task of its own.
 *
 * @param request the request that wants the chunk
 * @param parent hears when all of the chunk has ended
 * @param file the file, which the task retains
 * @param offset where the chunk begins in the file, in bytes
 * @param bytes the encoded size of the chunk
 * @param label the chunk's name for messages: the path, and the place in the file
 * @param pipeline the encoding of the chunk
 * @param parts the wanted positions of the chunk, in its encoded dimensions
 */
record ChunkTask(
        ReadRequest request,
        Completion parent,
        FileHandle file,
        long offset,
        long bytes,
        String label,
        ChunkPipeline pipeline,
        List<Region> parts) {

    /** {@return the destination of the elements} */
    Placement placement() {
        return request.placement();
    }

    /** {@return the rule that says which ranges of the file become one read} */
    FuseRule fuseRule() {
        return file.isObject() ? ((StoredObject) file).fuseRule() : FuseRule.of(file.alignment());
    }

    /**
     * {@return the part of the file that the disk cache has; the caller closes it; empty if none}
     */
    Optional<KeptBlocks> kept() {
        return file instanceof StoredObject object
                ? object.kept().flatMap(kept -> object.keptVersion().flatMap(kept::blocks))
                : Optional.empty();
    }

    /** Ends the chunk. If the file cannot be released, the request fails. */
    void end() {
        try {
            file.release();
        } catch (OutOfMemoryError e) {
            request.fail(e);
        }
        parent.partEnded();
    }

    /** {@return whether this encoding is a shard whose inner chunks can be read one by one} */
    static boolean isReadInParts(ChunkPipeline pipeline) {
        return pipeline.serializer() instanceof Serializer.Shard
                && pipeline.bytesCodecs().isEmpty();
    }

    /** {@return the problem of a size that no encoder makes; null if the size is possible} */
    static String sizeProblem(long bytes, ChunkPipeline pipeline) {
        OptionalLong exact = pipeline.encodedBytesExact();
        if (exact.isPresent() && bytes != exact.getAsLong()) {
            return "has " + bytes + " bytes, expected " + exact.getAsLong();
        }
        long max = isReadInParts(pipeline) ? Long.MAX_VALUE : pipeline.encodedBytesMax();
        if (bytes == 0 || bytes > max) {
            return "has "
                    + bytes
                    + " bytes, which cannot be "
                    + pipeline.decodedBytes()
                    + " decoded ones";
        }
        return null;
    }
}
