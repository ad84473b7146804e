package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Byte shuffling: all first bytes of the elements, then all second bytes, and so on.
 *
 * <p>Shape of the shuffled form: {@code (elementBytes, elements)}, bytes, C order. What is left
 * behind the last whole element stays where it is.
 */
public final class ByteShuffle {
    /** By the size of an element. */
    private static final VectorWarmup[] WARMUPS = new VectorWarmup[Long.BYTES + 1];

    static {
        Arrays.setAll(WARMUPS, bytes -> new VectorWarmup());
    }

    private ByteShuffle() {}

    /**
     * Puts the bytes of each element side by side, with vectors if the Vector API is there.
     *
     * @param shuffled as many bytes as {@code target} has, in other memory
     * @param target receives the elements
     * @param elementBytes size of an element
     */
    public static void unshuffle(MemorySegment shuffled, MemorySegment target, int elementBytes) {
        unshuffle(shuffled, target, elementBytes, 0, target.byteSize() / elementBytes);
    }

    /**
     * The same for some elements: of the others, nothing is read or written.
     *
     * @param shuffled as many bytes as {@code target} has, in other memory
     * @param target receives the elements, in their places
     * @param elementBytes size of an element
     * @param first the first of them
     * @param end behind the last one; if that is the last of all, what is behind it comes too
     */
    static void unshuffle(
            MemorySegment shuffled, MemorySegment target, int elementBytes, long first, long end) {
        if (!VectorUnit.IS_THERE || !VectorByteShuffle.handles(elementBytes)) {
            unshuffleEach(shuffled, target, elementBytes, first, end);
            return;
        }
        long all = target.byteSize() / elementBytes;
        VectorWarmup warmup = WARMUPS[elementBytes];
        boolean warm = warmup.isOver();
        long done = warmup.share(end - first, VectorZip.VECTOR_BYTES);
        long begin = warm ? 0 : System.nanoTime();
        VectorByteShuffle.unshuffle(shuffled, target, elementBytes, all, first, done);
        long middle = warm ? 0 : System.nanoTime();
        unshuffleEach(shuffled, target, elementBytes, first + done, end);
        long left = end - first - done;
        if (!warm && 0 < done && 0 < left) {
            warmup.compare(middle - begin, done, System.nanoTime() - middle, left);
        }
    }

    /**
     * Puts the bytes of each element side by side, byte by byte.
     *
     * @param shuffled as many bytes as {@code target} has, in other memory
     * @param target receives the elements
     * @param elementBytes size of an element
     */
    public static void unshuffleScalar(
            MemorySegment shuffled, MemorySegment target, int elementBytes) {
        unshuffleEach(shuffled, target, elementBytes, 0, target.byteSize() / elementBytes);
    }

    private static void unshuffleEach(
            MemorySegment shuffled, MemorySegment target, int elementBytes, long first, long end) {
        long elements = target.byteSize() / elementBytes;
        for (int b = 0; b < elementBytes; b++) {
            long plane = b * elements;
            for (long i = first; i < end; i++) {
                target.set(JAVA_BYTE, i * elementBytes + b, shuffled.get(JAVA_BYTE, plane + i));
            }
        }
        if (end == elements) {
            long whole = elements * elementBytes;
            MemorySegment.copy(shuffled, whole, target, whole, target.byteSize() - whole);
        }
    }

    /**
     * Puts the bytes of each element apart; what is left behind the last whole one stays.
     *
     * @param elements to shuffle
     * @param target as many bytes, in other memory
     * @param elementBytes size of an element
     */
    static void shuffle(MemorySegment elements, MemorySegment target, int elementBytes) {
        long count = elements.byteSize() / elementBytes;
        for (int b = 0; b < elementBytes; b++) {
            long plane = b * count;
            for (long i = 0; i < count; i++) {
                target.set(JAVA_BYTE, plane + i, elements.get(JAVA_BYTE, i * elementBytes + b));
            }
        }
        long whole = count * elementBytes;
        MemorySegment.copy(elements, whole, target, whole, elements.byteSize() - whole);
    }
}
