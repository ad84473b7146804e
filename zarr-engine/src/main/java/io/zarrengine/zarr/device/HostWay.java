package io.zarrengine.zarr.device;

import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.GridPlan;
import java.util.Optional;

/** Which reads go to memory of the host first, and are then copied to the device. */
final class HostWay {
    /** Our kernels take 8 dimensions, of which the bytes of an element may be one. */
    private static final int RANK_MAX = 7;

    private HostWay() {}

    /** {@return why, in one line, or empty if chunks go to the device} */
    static Optional<String> reason(ChunkPlan plan, ChunkPipeline chunk, int slotBytes) {
        ChunkPipeline inner = chunk;
        while (inner.serializer() instanceof Serializer.Shard shard) {
            if (!inner.bytesCodecs().isEmpty()) {
                return Optional.of("shards are compressed as a whole");
            }
            inner = shard.inner();
        }
        return Optional.ofNullable(reasonOf(plan, inner, slotBytes));
    }

    private static String reasonOf(ChunkPlan plan, ChunkPipeline inner, int slotBytes) {
        if (!(plan instanceof GridPlan)) {
            return "positions are listed one by one";
        }
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
        long bytes = Math.max(inner.encodedBytesMax(), inner.decodedBytes());
        if (bytes > slotBytes) {
            return "chunks of up to " + bytes + " bytes, slots of " + slotBytes;
        }
        return null;
    }
}
