package io.zarrengine.cuda;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A stretch of device memory that someone else owns: an address that only the device can read. It
 * may be kept longer than the memory; using it then is the caller's bug, and the device's end.
 *
 * @param address on the device
 * @param byteSize length in bytes
 */
public record DeviceSlice(long address, long byteSize) {
    /**
     * Creates a slice, e.g. of memory that another library allocated.
     *
     * @param address on the device
     * @param byteSize length in bytes, {@code >= 0}
     */
    public DeviceSlice {
        if (byteSize < 0) {
            throw new IllegalArgumentException(byteSize + " bytes");
        }
    }

    /**
     * {@return a part of it}
     *
     * @param offset where it begins, in bytes
     * @param bytes its length in bytes
     * @throws IndexOutOfBoundsException if it does not lie inside
     */
    public DeviceSlice slice(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, byteSize);
        return new DeviceSlice(address + offset, bytes);
    }

    /** As an argument of a call that uses the first {@code bytes} of it. */
    MemorySegment pointer(long bytes) {
        Objects.checkFromIndexSize(0, bytes, byteSize);
        return MemorySegment.ofAddress(address);
    }

    /** {@return the address as an argument of a native call; Java cannot read there} */
    public MemorySegment pointer() {
        return MemorySegment.ofAddress(address);
    }
}
