package io.zarrengine.bindings.frames;

/** Reads the bytes of a frame as numbers, for the headers of all formats. */
public sealed interface FrameBytes permits MappedBytes, StableBytes {
    /** {@return the number of bytes} */
    long byteSize();

    /**
     * {@return some bytes as an unsigned little-endian number}
     *
     * @param at position of the first byte
     * @param bytes number of bytes, 0 to 8
     * @throws IndexOutOfBoundsException if they are not all there
     */
    long littleEndian(long at, int bytes);

    /**
     * {@return a byte, unsigned}
     *
     * @param at position of the byte
     * @throws IndexOutOfBoundsException if it is not there
     */
    default int unsignedByte(long at) {
        return (int) littleEndian(at, 1);
    }

    /**
     * {@return four bytes as a little-endian number}
     *
     * @param at position of the first byte
     * @throws IndexOutOfBoundsException if they are not all there
     */
    default int littleEndianInt(long at) {
        return (int) littleEndian(at, Integer.BYTES);
    }
}
