package io.zarrengine.gpu;

import io.zarrengine.cuda.DeviceSlice;

/**
 * Elements that are on the device already, as a file holds them.
 *
 * @param slot where they lie; each chunk that the device is told of retains it
 * @param offset where they begin in what was read to the slot, in bytes
 * @param bytes how many
 */
record Resident(DirectSlots.Slot slot, long offset, long bytes) {
    DeviceSlice elements() {
        return slot.slice(offset, bytes);
    }
}
