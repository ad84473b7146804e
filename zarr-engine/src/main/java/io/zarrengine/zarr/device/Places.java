package io.zarrengine.zarr.device;

import io.zarrengine.cuda.DeviceSlice;
import java.util.function.LongUnaryOperator;

/**
 * Where on the device a slot's bytes lie, and what is decoded of them. A worker describes chunks
 * before a batch has room for them: what it writes are offsets in two address spaces of their own,
 * which the device's thread turns into addresses.
 *
 * @param slotAddress where the slot's bytes were copied to
 * @param decodedAddress where its chunks are decoded to that are not decoded to their targets
 */
record Places(long slotAddress, long decodedAddress) implements LongUnaryOperator {
    /** Bits that no address of a device has: they have 57 at most. */
    private static final long SLOT = 1L << 62;

    private static final long DECODED = 1L << 61;

    /** {@return a part of the slot} */
    static DeviceSlice inSlot(long offset, long bytes) {
        return new DeviceSlice(SLOT + offset, bytes);
    }

    /** {@return a part of what is decoded} */
    static DeviceSlice inDecoded(long offset, long bytes) {
        return new DeviceSlice(DECODED + offset, bytes);
    }

    @Override
    public long applyAsLong(long address) {
        if ((address & SLOT) != 0) {
            return address - SLOT + slotAddress;
        }
        return (address & DECODED) != 0 ? address - DECODED + decodedAddress : address;
    }
}
