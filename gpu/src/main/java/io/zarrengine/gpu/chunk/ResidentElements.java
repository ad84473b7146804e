package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;

/**
 * Elements that are on the device already, as a file holds them.
 *
 * @param memory where they lie; each chunk that the device is told of retains it
 * @param offset where they begin in what was read there, in bytes
 * @param bytes how many
 */
public record ResidentElements(ResidentMemory memory, long offset, long bytes) {
    public DeviceSlice elements() {
        return memory.slice(offset, bytes);
    }
}
