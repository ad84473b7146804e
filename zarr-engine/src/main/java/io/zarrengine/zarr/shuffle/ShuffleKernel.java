package io.zarrengine.zarr.shuffle;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;

/**
 * An implementation of undoing shuffling. {@link ShuffleDispatch} chooses one.
 *
 * <p>Threads: any.
 */
public interface ShuffleKernel {
    /**
     * {@return adjacent planes}
     *
     * @param shuffled the planes; bytes after the last plane belong to no element
     * @param elementBytes size of an element
     */
    static MemorySegment[] planes(MemorySegment shuffled, int elementBytes) {
        long elements = shuffled.byteSize() / elementBytes;
        MemorySegment[] planes = new MemorySegment[elementBytes];
        for (int b = 0; b < elementBytes; b++) {
            planes[b] = shuffled.asSlice(b * elements, elements);
        }
        return planes;
    }

    /**
     * {@return whether the kernel puts elements together in a target, from planes that it
     * {@linkplain #takes takes}}
     *
     * @param elementBytes size of an element
     * @param bytes of all elements
     * @param target of the elements
     */
    boolean handles(int elementBytes, long bytes, MemorySegment target);

    /**
     * {@return whether the kernel reads certain planes and rows}
     *
     * @param planes one for each byte of an element, of a size that it {@link #handles}
     * @param rows of elements
     */
    boolean takes(MemorySegment[] planes, ElementRows rows);

    /**
     * {@return the shortest row that is worth putting together by itself, in elements; for shorter
     * rows it is faster to put all elements together first, and then to copy rows}
     *
     * @param elementBytes size of an element that it {@link #handles}
     */
    long rowElementsMin(int elementBytes);

    /**
     * Puts the bytes of elements together.
     *
     * @param planes one for each byte of an element, which it {@link #takes}
     * @param rows of elements
     */
    void unshuffle(MemorySegment[] planes, ElementRows rows);

    /**
     * {@return whether the kernel makes planes of bits}
     *
     * @param bits the source
     * @param planes the target
     */
    boolean handlesBits(MemorySegment bits, MemorySegment planes);

    /**
     * Makes planes of bytes from rows of bits.
     *
     * @param bits shape {@code (8 * elementBytes, rowBytes)}
     * @param planes shape {@code (elementBytes, 8 * rowBytes)}; other memory, which it {@linkplain
     *     #handlesBits handles}
     * @param elementBytes size of an element
     * @param rowBytes an eighth of the number of elements
     */
    void bitsToPlanes(MemorySegment bits, MemorySegment planes, int elementBytes, long rowBytes);
}
