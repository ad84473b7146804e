package io.zarrengine.gpu.read;

import io.zarrengine.gpu.chunk.FillElement;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.Optional;

/** Which reads go to memory of the host first, and are then copied to the device. */
public final class HostReasons {
    /** Our kernels take 8 dimensions, of which the bytes of an element may be one. */
    private static final int RANK_MAX = 7;

    private HostReasons() {}

    /** {@return why, in one line, or empty if chunks go to the device} */
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
     * Chunks of which many small parts are wanted: each part takes up to a descriptor of 256 bytes.
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
