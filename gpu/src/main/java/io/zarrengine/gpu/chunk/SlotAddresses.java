package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;
import java.util.function.LongUnaryOperator;

/**
 * Device addresses of a slot's bytes, of the bytes copied from files beside it, and of the decoded
 * chunks of both. A worker describes chunks before a batch has room for them. It writes offsets in
 * three separate address spaces, which the device thread turns into addresses.
 *
 * @param slotAddress address to which the slot's bytes are copied
 * @param filesAddress address to which bytes of files are copied
 * @param decodedAddress address of the decoded chunks that are not decoded directly to their
 *     targets
 */
public record SlotAddresses(long slotAddress, long filesAddress, long decodedAddress)
        implements LongUnaryOperator {
    /** Bits that no device address has: addresses have at most 57 bits. */
    private static final long SLOT = 1L << 62;

    private static final long FILES = 1L << 61;
    private static final long DECODED = 1L << 60;

    /** {@return a part of the slot} */
    public static DeviceSlice inSlot(long offset, long bytes) {
        return new DeviceSlice(SLOT + offset, bytes);
    }

    /** {@return a part of the bytes copied from files} */
    public static DeviceSlice inFiles(long offset, long bytes) {
        return new DeviceSlice(FILES + offset, bytes);
    }

    /** {@return a part of the decoded bytes} */
    public static DeviceSlice inDecoded(long offset, long bytes) {
        return new DeviceSlice(DECODED + offset, bytes);
    }

    /** {@return the device memory of a slice that one of the methods above returned} */
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
