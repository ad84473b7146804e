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
 * A chunk, or an inner chunk that is a shard itself, in a stretch of a file.
 *
 * @param request the request that it is a part of
 * @param parent is notified when all of it has ended
 * @param file the file; retained by the task
 * @param offset where it begins in the file, in bytes
 * @param bytes its encoded size
 * @param label its name for messages: the path, and the place in the file
 * @param pipeline its encoding
 * @param parts the positions wanted of it, in its encoded dimensions
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

    /** {@return where its elements go} */
    Placement placement() {
        return request.placement();
    }

    /** {@return the rule by which ranges of its file are read together} */
    FuseRule fuseRule() {
        return file.isObject() ? ((StoredObject) file).fuseRule() : FuseRule.of(file.alignment());
    }

    /** {@return tells what a cache on disk has of it; the caller closes it; empty: nothing} */
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

    /** {@return whether it is a shard whose inner chunks can be read without all of it} */
    static boolean isReadInParts(ChunkPipeline pipeline) {
        return pipeline.serializer() instanceof Serializer.Shard
                && pipeline.bytesCodecs().isEmpty();
    }

    /** {@return the problem of a size that no encoder makes; null if it is possible} */
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
