package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;

/**
 * Byte shuffling: all first bytes of the elements, then all second bytes, and so on.
 *
 * <p>Shape of the shuffled form: {@code (elementBytes, elements)}, bytes, C order. Bytes after the
 * last whole element are not moved.
 */
public final class ByteShuffle {
    /** Largest element that blosc shuffles. */
    private static final int PLANES_MAX = 255;

    private ByteShuffle() {}

    /**
     * Puts the bytes of each element together.
     *
     * @param shuffled same size as {@code target}, in other memory
     * @param target gets the elements
     * @param elementBytes size of an element
     */
    public static void unshuffle(MemorySegment shuffled, MemorySegment target, int elementBytes) {
        long elements = target.byteSize() / elementBytes;
        if (elementBytes > PLANES_MAX) { // avoids an object for each of many planes
            transpose(shuffled, elementBytes, elements, target);
        } else {
            BytePlanes.of(shuffled, elementBytes).put(ElementRows.one(0, elements, target, 0));
        }
        copyRest(shuffled, target, elementBytes);
    }

    /** Transposes a matrix of bytes in C order. */
    private static void transpose(
            MemorySegment matrix, long rows, long columns, MemorySegment target) {
        for (long column = 0; column < columns; column++) {
            for (long row = 0; row < rows; row++) {
                byte value = matrix.get(JAVA_BYTE, row * columns + column);
                target.set(JAVA_BYTE, column * rows + row, value);
            }
        }
    }

    /** Copies the bytes after the last whole element. */
    public static void copyRest(MemorySegment shuffled, MemorySegment target, int elementBytes) {
        long rest = target.byteSize() % elementBytes;
        long whole = target.byteSize() - rest;
        MemorySegment.copy(shuffled, whole, target, whole, rest);
    }

    /**
     * Shuffles the bytes of each element; bytes after the last whole element are not moved.
     *
     * @param elements to shuffle
     * @param target same size, in other memory
     * @param elementBytes size of an element
     */
    public static void shuffle(MemorySegment elements, MemorySegment target, int elementBytes) {
        transpose(elements, elements.byteSize() / elementBytes, elementBytes, target);
        copyRest(elements, target, elementBytes);
    }
}
