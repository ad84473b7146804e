package io.zarrengine.zarr.shuffle;

import java.lang.foreign.MemorySegment;

/**
 * Bit shuffling: all lowest bits of the elements' first bytes, then all second bits, and so on.
 *
 * <p>Shape of the shuffled form: {@code (8 * elementBytes, elements / 8)}, bytes, C order; bit
 * {@code i % 8} of byte {@code i / 8} belongs to element {@code i}.
 */
public final class BitShuffle {
    private BitShuffle() {}

    /**
     * Puts the bits of each element of {@code shuffled} together in {@code target}. c-blosc
     * shuffles only if 8 divides the number of elements; otherwise the bytes are unchanged.
     *
     * @param shuffled same size as {@code target}, in other memory
     * @param target gets the elements; not a mapped file
     * @param elementBytes size of an element
     * @param scratch of the same size
     */
    public static void unshuffle(
            MemorySegment shuffled, MemorySegment target, int elementBytes, MemorySegment scratch) {
        long whole = wholeBytes(target, elementBytes);
        MemorySegment planes = elementBytes == 1 ? target : scratch;
        ShuffleDispatch.ofBits(shuffled, planes)
                .bitsToPlanes(shuffled, planes, elementBytes, whole / elementBytes / Byte.SIZE);
        if (elementBytes > 1) {
            ByteShuffle.unshuffle(
                    scratch.asSlice(0, whole), target.asSlice(0, whole), elementBytes);
        }
        MemorySegment.copy(shuffled, whole, target, whole, target.byteSize() - whole);
    }

    private static long wholeBytes(MemorySegment elements, int elementBytes) {
        long count = elements.byteSize() / elementBytes;
        return count % Byte.SIZE == 0 ? count * elementBytes : 0;
    }
}
