package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;
import java.util.function.LongUnaryOperator;

/**
 * Where on the device a slot's bytes lie, those that are copied from files beside it, and what is
 * decoded of both. A worker describes chunks before a batch has room for them: what it writes are
 * offsets in three address spaces of their own, which the device's thread turns into addresses.
 *
 * @param slotAddress where the slot's bytes are copied to
 * @param filesAddress where bytes of files are copied to
 * @param decodedAddress where its chunks are decoded to that are not decoded to their targets
 */
public record SlotAddresses(long slotAddress, long filesAddress, long decodedAddress)
        implements LongUnaryOperator {
    /** Bits that no address of a device has: they have 57 at most. */
    private static final long SLOT = 1L << 62;

    private static final long FILES = 1L << 61;
    private static final long DECODED = 1L << 60;

    /** {@return a part of the slot} */
    public static DeviceSlice inSlot(long offset, long bytes) {
        return new DeviceSlice(SLOT + offset, bytes);
    }

    /** {@return a part of what is copied from files} */
    public static DeviceSlice inFiles(long offset, long bytes) {
        return new DeviceSlice(FILES + offset, bytes);
    }

    /** {@return a part of what is decoded} */
    public static DeviceSlice inDecoded(long offset, long bytes) {
        return new DeviceSlice(DECODED + offset, bytes);
    }

    /** {@return what one of the above is on the device} */
    public DeviceSlice of(DeviceSlice described) {
        return new DeviceSlice(applyAsLong(described.address()), described.byteSize());
    }

    @Override
    public long applyAsLong(long address) {
        if ((address & SLOT) != 0) {
            return address - SLOT + slotAddress;
        }
        if ((address & FILES) != 0) {
            return address - FILES + filesAddress;
        }
        return (address & DECODED) != 0 ? address - DECODED + decodedAddress : address;
    }
}
