package io.zarrengine.cuda;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A range of device memory that other code owns. Only the device can read at its address. The slice
 * may be kept longer than the memory, but using it then is a bug of the caller and breaks the
 * device.
 *
 * @param address the address on the device
 * @param byteSize length in bytes
 */
public record DeviceSlice(long address, long byteSize) {
    /**
     * Creates a slice, e.g. of memory that another library allocated.
     *
     * @param address the address on the device
     * @param byteSize length in bytes, {@code >= 0}
     */
    public DeviceSlice {
        if (byteSize < 0) {
            throw new IllegalArgumentException(byteSize + " bytes");
        }
    }

    /**
     * {@return a part of the slice}
     *
     * @param offset first byte of the part
     * @param bytes length of the part in bytes
     * @throws IndexOutOfBoundsException if the part does not lie inside
     */
    public DeviceSlice slice(long offset, long bytes) {
        Objects.checkFromIndexSize(offset, bytes, byteSize);
        return new DeviceSlice(address + offset, bytes);
    }

    /** Returns the argument of a native call that uses the first {@code bytes} of the slice. */
    MemorySegment pointer(long bytes) {
        Objects.checkFromIndexSize(0, bytes, byteSize);
        return MemorySegment.ofAddress(address);
    }

    /** {@return the address as an argument of a native call; Java cannot read there} */
    public MemorySegment pointer() {
        return MemorySegment.ofAddress(address);
    }
}
