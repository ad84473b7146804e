package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;

/**
 * Elements that are already on the device, as the file stores them.
 *
 * @param memory the memory that contains them; each chunk handed to the device retains it
 * @param offset offset of the elements in the stretch that was read there, in bytes
 * @param bytes the number of bytes
 */
public record ResidentElements(ResidentMemory memory, long offset, long bytes) {
    public DeviceSlice elements() {
        return memory.slice(offset, bytes);
    }
}
