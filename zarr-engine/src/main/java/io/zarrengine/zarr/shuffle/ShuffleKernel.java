package io.zarrengine.zarr.shuffle;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;

/**
 * One way to undo shuffling. {@link ShuffleDispatch} chooses one.
 *
 * <p>Threads: any.
 */
public interface ShuffleKernel {
    /**
     * {@return planes that lie one behind the other}
     *
     * @param shuffled the planes; what is left behind them is of no element
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
     * {@return whether it puts elements together in a target, of planes that it {@linkplain #takes
     * takes}}
     *
     * @param elementBytes size of an element
     * @param bytes of all elements
     * @param target where they go
     */
    boolean handles(int elementBytes, long bytes, MemorySegment target);

    /**
     * {@return whether it reads such planes and rows}
     *
     * @param planes one for each byte of an element, of a size that it {@link #handles}
     * @param rows of elements
     */
    boolean takes(MemorySegment[] planes, ElementRows rows);

    /**
     * {@return how many elements a row must have for it to be put together by itself; shorter rows
     * are faster put side by side first, and copied then}
     *
     * @param elementBytes size of an element that it {@link #handles}
     */
    long rowElementsMin(int elementBytes);

    /**
     * Puts the bytes of elements side by side.
     *
     * @param planes one for each byte of an element, which it {@link #takes}
     * @param rows of elements
     */
    void unshuffle(MemorySegment[] planes, ElementRows rows);

    /**
     * {@return whether it makes planes of bits}
     *
     * @param bits which it reads
     * @param planes which it writes
     */
    boolean handlesBits(MemorySegment bits, MemorySegment planes);

    /**
     * Makes planes of bytes of rows of bits.
     *
     * @param bits shape {@code (8 * elementBytes, rowBytes)}
     * @param planes shape {@code (elementBytes, 8 * rowBytes)}; other memory, which it {@linkplain
     *     #handlesBits handles}
     * @param elementBytes size of an element
     * @param rowBytes an eighth of the number of elements
     */
    void bitsToPlanes(MemorySegment bits, MemorySegment planes, int elementBytes, long rowBytes);
}
