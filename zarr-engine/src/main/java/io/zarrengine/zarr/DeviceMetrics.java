package io.zarrengine.zarr;

import io.zarrengine.zarr.device.DeviceCounters;
import java.util.Map;

/**
 * What a GPU has done for an engine.
 *
 * @param chunks that went to it
 * @param chunksDecoded of them those that it decoded
 * @param chunksRescued of them those that it could not decode and the CPU did
 * @param chunksDecodedByHost of them those that the CPU decoded before, how many for which reason,
 *     in words. Reads of which all goes by way of the host have none: small ones, and those with a
 *     {@link ZarrArray#hostReason}
 * @param bytesCopied encoded bytes, or elements, that were copied to it from memory of the engine's
 * @param bytesCopiedAsRead of them those that were copied from where a file was read to, around the
 *     page cache: the host has moved none of them
 * @param bytesCopiedFromFiles encoded bytes, or elements, that were copied to it from where the
 *     page cache holds files ({@link ZarrEngineBuilder#pinnedFileBytes})
 * @param bytesReadDirectly bytes that were read to it around the host's memory ({@link
 *     ZarrEngine.Io#GDS})
 * @param batches launches
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
