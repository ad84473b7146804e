package io.zarrengine.gpu.read;

import io.zarrengine.gpu.chunk.FillElement;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.Optional;

/** Decides which reads go to host memory first, and are then copied to the device. */
public final class HostReasons {
    /** Our kernels take 8 dimensions. One of them may be the bytes of an element. */
    private static final int RANK_MAX = 7;

    private HostReasons() {}

    /** {@return the reason in one line, or empty if chunks go to the device} */
    public static Optional<String> reason(
            ChunkPlan plan, long bytes, ChunkPipeline chunk, DeviceOptions options) {
        ChunkPipeline inner = chunk.innermost();
        if (inner.serializer() instanceof Serializer.Shard) {
            return Optional.of("shards are compressed as a whole");
        }
        String reason = reasonOf(plan, bytes, options);
        return Optional.ofNullable(reason == null ? reasonOf(inner) : reason);
    }

    /**
     * Returns a reason if the read wants many small parts of chunks: each part takes a descriptor
     * of up to 256 bytes.
     */
    private static String reasonOf(ChunkPlan plan, long bytes, DeviceOptions options) {
        long parts = plan.partCount();
        boolean isListed = parts > plan.chunks() && bytes / parts < options.partBytesMin();
        return isListed ? "listed parts of " + bytes / parts + " bytes each" : null;
    }

    private static String reasonOf(ChunkPipeline inner) {
        if (inner.rank() > RANK_MAX) {
            return inner.rank() + " dimensions";
        }
        if (!FillElement.fits(inner.elementBytes())) {
            return "elements of " + inner.elementBytes() + " bytes";
        }
        if (inner.serializer() instanceof Serializer.FilteredChunk) {
            return "filters need all elements of a shard";
        }
        if (inner.serializer() instanceof Serializer.Elements elements
                && elements.swapBytes() > Long.BYTES) {
            return "numbers of " + elements.swapBytes() + " bytes in another byte order";
        }
        return null;
    }
}
