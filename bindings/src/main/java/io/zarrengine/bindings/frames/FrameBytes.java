package io.zarrengine.bindings.frames;

/** The bytes of a frame as numbers: the headers of all formats are read through it. */
public sealed interface FrameBytes permits MappedBytes, StableBytes {
    /** {@return how many bytes there are} */
    long byteSize();

    /**
     * {@return some bytes as an unsigned little-endian number}
     *
     * @param at the first byte
     * @param bytes how many, 0 to 8
     * @throws IndexOutOfBoundsException if they are not all there
     */
    long littleEndian(long at, int bytes);

    /**
     * {@return a byte, unsigned}
     *
     * @param at which one
     * @throws IndexOutOfBoundsException if it is not there
     */
    default int unsignedByte(long at) {
        return (int) littleEndian(at, 1);
    }

    /**
     * {@return four bytes as a little-endian number}
     *
     * @param at the first byte
     * @throws IndexOutOfBoundsException if they are not all there
     */
    default int littleEndianInt(long at) {
        return (int) littleEndian(at, Integer.BYTES);
    }
}
