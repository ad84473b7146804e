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
        long elements = target.byteSize() / elementBytes;
        if (!VectorUnit.IS_THERE || !VectorByteShuffle.handles(elementBytes)) {
            unshuffleFrom(0, shuffled, target, elementBytes);
            return;
        }
        VectorWarmup warmup = WARMUPS[elementBytes];
        boolean warm = warmup.isOver();
        long done = warmup.share(elements, VectorZip.VECTOR_BYTES);
        long begin = warm ? 0 : System.nanoTime();
        VectorByteShuffle.unshuffle(shuffled, target, elementBytes, elements, done);
        long middle = warm ? 0 : System.nanoTime();
        unshuffleFrom(done, shuffled, target, elementBytes);
        if (!warm && 0 < done && done < elements) {
            warmup.compare(middle - begin, done, System.nanoTime() - middle, elements - done);
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
        unshuffleFrom(0, shuffled, target, elementBytes);
    }

    private static void unshuffleFrom(
            long first, MemorySegment shuffled, MemorySegment target, int elementBytes) {
        long elements = target.byteSize() / elementBytes;
        for (int b = 0; b < elementBytes; b++) {
            long plane = b * elements;
            for (long i = first; i < elements; i++) {
                target.set(JAVA_BYTE, i * elementBytes + b, shuffled.get(JAVA_BYTE, plane + i));
            }
        }
        long whole = elements * elementBytes;
        MemorySegment.copy(shuffled, whole, target, whole, target.byteSize() - whole);
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
