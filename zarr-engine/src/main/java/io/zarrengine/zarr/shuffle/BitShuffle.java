package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.zarrengine.bindings.NativeShuffle;
import io.zarrengine.zarr.place.ElementRows;
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

    private static final long STEP_MATRICES = 1024;

    private static final VectorWarmup WARMUP = new VectorWarmup();

    private BitShuffle() {}

    /** What makes planes of rows of bits. */
    enum Way {
        MACHINE_CODE,
        VECTORS,
        WORDS
    }

    /**
     * Puts the bits of each element of {@code shuffled} side by side in {@code target}, by machine
     * code, or with vectors if the Vector API is there. c-blosc shuffles only a number of elements
     * that 8 divides: else the bytes are as they were.
     *
     * @param shuffled as many bytes as {@code target} has, in other memory
     * @param target receives the elements; no mapped file
     * @param elementBytes size of an element
     * @param scratch as many bytes again
     */
    public static void unshuffle(
            MemorySegment shuffled, MemorySegment target, int elementBytes, MemorySegment scratch) {
        boolean areNative = shuffled.isNative() && target.isNative() && scratch.isNative();
        Way inJava = VectorUnit.IS_THERE ? Way.VECTORS : Way.WORDS;
        Way way = areNative && NativeShuffle.denial().isEmpty() ? Way.MACHINE_CODE : inJava;
        unshuffle(shuffled, target, elementBytes, scratch, way);
    }

    /**
     * The same in Java without vectors.
     *
     * @param shuffled as many bytes as {@code target} has, in other memory
     * @param target receives the elements
     * @param elementBytes size of an element
     * @param scratch as many bytes again
     */
    public static void unshuffleScalar(
            MemorySegment shuffled, MemorySegment target, int elementBytes, MemorySegment scratch) {
        unshuffle(shuffled, target, elementBytes, scratch, Way.WORDS);
    }

    static void unshuffle(
            MemorySegment shuffled,
            MemorySegment target,
            int elementBytes,
            MemorySegment scratch,
            Way way) {
        long whole = wholeBytes(target, elementBytes);
        long rowBytes = whole / elementBytes / BITS;
        MemorySegment planes = elementBytes == 1 ? target : scratch;
        switch (way) {
            case MACHINE_CODE ->
                    NativeShuffle.bitsToPlanes(shuffled, planes, elementBytes, rowBytes);
            case VECTORS -> toPlanesWithVectors(shuffled, planes, elementBytes, rowBytes);
            case WORDS -> toPlanes(0, shuffled, planes, elementBytes, rowBytes);
        }
        MemorySegment elements = target.asSlice(0, whole);
        if (elementBytes > 1 && way == Way.WORDS) {
            ByteShuffle.unshuffleScalar(scratch.asSlice(0, whole), elements, elementBytes);
        } else if (elementBytes > 1) {
            ByteShuffle.unshuffle(scratch.asSlice(0, whole), elements, elementBytes);
        }
        MemorySegment.copy(shuffled, whole, target, whole, target.byteSize() - whole);
    }

    private static long wholeBytes(MemorySegment elements, int elementBytes) {
        long count = elements.byteSize() / elementBytes;
        return count % BITS == 0 ? count * elementBytes : 0;
    }

    private static void toPlanesWithVectors(
            MemorySegment rows, MemorySegment planes, int elementBytes, long rowBytes) {
        boolean warm = WARMUP.isOver();
        long done = WARMUP.share(rowBytes, VectorZip.VECTOR_BYTES);
        long begin = warm ? 0 : System.nanoTime();
        VectorBitShuffle.toPlanes(rows, planes, elementBytes, rowBytes, done);
        long middle = warm ? 0 : System.nanoTime();
        toPlanes(done, rows, planes, elementBytes, rowBytes);
        if (!warm && 0 < done && done < rowBytes) {
            WARMUP.compare(middle - begin, done, System.nanoTime() - middle, rowBytes - done);
        }
    }

    /** Zips 8 rows of bits to longs as if they were planes of bytes, and transposes each long. */
    private static void toPlanes(
            long first, MemorySegment rows, MemorySegment planes, int elementBytes, long rowBytes) {
        if (first == rowBytes) {
            return;
        }
        for (int b = 0; b < elementBytes; b++) {
            long plane = rowBytes * BITS * b; // of both: 8 rows are as long as a plane
            MemorySegment bits = rows.asSlice(plane, rowBytes * BITS);
            long to = plane + BITS * first;
            BytePlanes.of(bits, BITS).putEach(ElementRows.one(first, rowBytes, planes, to));
            transposeEach(planes, to, plane + BITS * rowBytes);
        }
    }

    /** In an array, for loops over memory segments are fast only when C2 has compiled them. */
    private static void transposeEach(MemorySegment matrices, long from, long to) {
        long[] some = new long[(int) Math.min((to - from) / Long.BYTES, STEP_MATRICES)];
        for (long at = from; at < to; at += STEP_MATRICES * Long.BYTES) {
            int count = (int) Math.min((to - at) / Long.BYTES, STEP_MATRICES);
            MemorySegment.copy(matrices, LE_LONG, at, some, 0, count);
            for (int i = 0; i < count; i++) {
                some[i] = transpose(some[i]);
            }
            MemorySegment.copy(some, 0, matrices, LE_LONG, at, count);
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
