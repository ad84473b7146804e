package io.zarrengine.zarr;

import io.zarrengine.zarr.device.DeviceCounters;
import java.util.Map;

/**
 * Counters of the work that a GPU has done for an engine.
 *
 * @param chunks chunks that were sent to the GPU
 * @param chunksDecoded of these, the chunks that the GPU decoded
 * @param chunksRescued of these, the chunks that the GPU failed to decode and the CPU decoded
 * @param chunksDecodedByHost of these, the chunks that the CPU decoded in advance: their number by
 *     reason, in words. Reads that go entirely through the host are not counted: small ones, and
 *     those with a {@link ZarrArray#hostReason}
 * @param bytesCopied encoded bytes, or elements, copied to the GPU from the engine's memory
 * @param bytesCopiedAsRead of these, the bytes copied from the memory that a file was read into,
 *     bypassing the page cache: the CPU has not moved them
 * @param bytesCopiedFromFiles encoded bytes, or elements, copied to the GPU from the page cache
 *     ({@link ZarrEngineBuilder#pinnedFileBytes})
 * @param bytesReadDirectly bytes read to the GPU, bypassing the host's memory ({@link
 *     ZarrEngine.Io#GDS})
 * @param batches batches launched
 */
public record DeviceMetrics(
        long chunks,
        long chunksDecoded,
        long chunksRescued,
        Map<String, Long> chunksDecodedByHost,
        long bytesCopied,
        long bytesCopiedAsRead,
        long bytesCopiedFromFiles,
        long bytesReadDirectly,
        long batches) {
    static final DeviceMetrics NONE = new DeviceMetrics(0, 0, 0, Map.of(), 0, 0, 0, 0, 0);

    static DeviceMetrics of(DeviceCounters done) {
        return new DeviceMetrics(
                done.chunks(),
                done.chunksDecoded(),
                done.chunksRescued(),
                done.decodedByHost(),
                done.bytesCopied(),
                done.bytesCopiedAsRead(),
                done.bytesCopiedFromFiles(),
                done.bytesReadDirectly(),
                done.batches());
    }
}
