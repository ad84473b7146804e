package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Bit shuffling: all lowest bits of the elements' first bytes, then all second bits, and so on.
 *
 * <p>Shape of the shuffled form: {@code (8 * elementBytes, elements / 8)}, bytes, C order; bit
 * {@code i % 8} of byte {@code i / 8} belongs to element {@code i}.
 */
public final class BitShuffle {
    private static final int BITS = Byte.SIZE;
    private static final ValueLayout.OfLong LE_LONG =
            JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VectorWarmup WARMUP = new VectorWarmup();

    private BitShuffle() {}

    /**
     * Puts the bits of each element of {@code shuffled} side by side in {@code target}. c-blosc
     * shuffles only a number of elements that 8 divides: else the bytes are as they were.
     *
     * @param shuffled as many bytes as {@code target} has, in other memory
     * @param target receives the elements
     * @param elementBytes size of an element
     * @param scratch as many bytes again, for vectors
     */
    public static void unshuffle(
            MemorySegment shuffled, MemorySegment target, int elementBytes, MemorySegment scratch) {
        long elements = target.byteSize() / elementBytes;
        if (!VectorUnit.IS_THERE || elements % BITS != 0) {
            unshuffleScalar(shuffled, target, elementBytes);
            return;
        }
        long whole = elements * elementBytes;
        MemorySegment planes = elementBytes == 1 ? target : scratch;
        long rowBytes = elements / BITS;
        toPlanes(shuffled, planes, elementBytes, rowBytes);
        if (elementBytes > 1) {
            ByteShuffle.unshuffle(
                    scratch.asSlice(0, whole), target.asSlice(0, whole), elementBytes);
        }
        MemorySegment.copy(shuffled, whole, target, whole, target.byteSize() - whole);
    }

    private static void toPlanes(
            MemorySegment rows, MemorySegment planes, int elementBytes, long rowBytes) {
        boolean warm = WARMUP.isOver();
        long done = WARMUP.share(rowBytes, VectorZip.VECTOR_BYTES);
        long begin = warm ? 0 : System.nanoTime();
        VectorBitShuffle.toPlanes(rows, planes, elementBytes, rowBytes, done);
        long middle = warm ? 0 : System.nanoTime();
        toPlanesFrom(done, rows, planes, elementBytes, rowBytes);
        if (!warm && 0 < done && done < rowBytes) {
            WARMUP.compare(middle - begin, done, System.nanoTime() - middle, rowBytes - done);
        }
    }

    private static void toPlanesFrom(
            long first, MemorySegment rows, MemorySegment planes, int elementBytes, long rowBytes) {
        for (int b = 0; b < elementBytes; b++) {
            long plane = rowBytes * BITS * b;
            for (long group = first; group < rowBytes; group++) {
                long bytes = transpose(gather(rows, plane + group, rowBytes));
                planes.set(LE_LONG, plane + BITS * group, bytes);
            }
        }
    }

    /** Row r of the result, a byte of it, is the byte of row r of a plane. */
    private static long gather(MemorySegment rows, long from, long rowBytes) {
        long bits = 0;
        for (int row = 0; row < BITS; row++) {
            long bytes = Byte.toUnsignedLong(rows.get(JAVA_BYTE, from + row * rowBytes));
            bits |= bytes << (BITS * row);
        }
        return bits;
    }

    /**
     * The same, a group of 8 elements at a time.
     *
     * @param shuffled as many bytes as {@code target} has, in other memory
     * @param target receives the elements
     * @param elementBytes size of an element
     */
    public static void unshuffleScalar(
            MemorySegment shuffled, MemorySegment target, int elementBytes) {
        long elements = target.byteSize() / elementBytes;
        long whole = elements % BITS == 0 ? elements * elementBytes : 0;
        if (whole > 0) {
            unshuffleWhole(shuffled, target, elementBytes, elements);
        }
        MemorySegment.copy(shuffled, whole, target, whole, target.byteSize() - whole);
    }

    private static void unshuffleWhole(
            MemorySegment shuffled, MemorySegment target, int elementBytes, long elements) {
        long rowBytes = elements / BITS;
        for (int b = 0; b < elementBytes; b++) {
            for (long group = 0; group < rowBytes; group++) {
                long from = rowBytes * BITS * b + group;
                long bytes = transpose(gather(shuffled, from, rowBytes));
                for (int i = 0; i < BITS; i++) {
                    long at = (group * BITS + i) * elementBytes + b;
                    target.set(JAVA_BYTE, at, (byte) (bytes >>> (BITS * i)));
                }
            }
        }
    }

    /**
     * Transposes an 8 x 8 matrix of bits, one row a byte.
     *
     * @see <i>Hacker's Delight</i>, section 7-3
     */
    static long transpose(long rows) {
        long x = rows;
        long swap = (x ^ (x >>> 7)) & 0x00aa00aa00aa00aaL;
        x ^= swap ^ (swap << 7);
        swap = (x ^ (x >>> 14)) & 0x0000cccc0000ccccL;
        x ^= swap ^ (swap << 14);
        swap = (x ^ (x >>> 28)) & 0x00000000f0f0f0f0L;
        return x ^ swap ^ (swap << 28);
    }
}
