package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.decode.Placement;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.Region;
import java.util.List;
import java.util.OptionalLong;

/**
 * A chunk, or an inner chunk that is a shard itself, in a stretch of a file.
 *
 * @param request the request that it is a part of
 * @param parent learns that the task has ended
 * @param file the file; retained by the task
 * @param offset of the chunk in the file, in bytes
 * @param bytes its encoded size
 * @param label for messages: the path, and the place in it
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

    /** {@return the target of its elements} */
    Placement placement() {
        return request.placement();
    }

    /** Ends the task, after all of its reads have ended. */
    void end() {
        file.release();
        parent.partEnded();
    }

    /** {@return whether inner chunks can be found without decoding the whole chunk} */
    static boolean isReadInParts(ChunkPipeline pipeline) {
        return pipeline.serializer() instanceof Serializer.Shard
                && pipeline.bytesCodecs().isEmpty();
    }

    /** {@return the problem of a size that no encoder makes; null if it may be right} */
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
