package io.zarrengine.zarr;

/**
 * What a GPU has done for an engine.
 *
 * @param chunks that went to it
 * @param chunksDecoded of them those that it decoded
 * @param chunksRescued of them those that it could not decode and the CPU did
 * @param bytesCopied encoded bytes, or elements, that were copied to it
 * @param bytesReadDirectly bytes that were read to it around the host's memory ({@link
 *     ZarrEngine.Io#GDS})
 * @param batches launches
 */
public record DeviceMetrics(
        long chunks,
        long chunksDecoded,
        long chunksRescued,
        long bytesCopied,
        long bytesReadDirectly,
        long batches) {}
