package io.zarrengine.bindings.machinecode;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.Optional;

/**
 * Undoes byte and bit shuffling by machine code, for Linux on x86-64 with BMI2 and SSE4.1. {@code
 * -Dio.zarrengine.machinecode=off} switches it off. All functions throw
 *
 * <ul>
 *   <li>IndexOutOfBoundsException if a range is not in its segment; nothing is written
 *   <li>ArithmeticException if checking that overflows; nothing is written
 *   <li>IllegalArgumentException if a count is negative, a segment is on the heap, the target is
 *       read-only, or elements are of a size that it does not {@linkplain #handles handle}
 *   <li>IllegalStateException if a segment has ended
 *   <li>WrongThreadException if a segment is another thread's
 *   <li>UnsupportedOperationException if they are not there
 * </ul>
 */
public final class MachineCodeShuffle {
    private static final ShuffleFunctions CODE = ShuffleFunctions.load();

    private MachineCodeShuffle() {}

    /** {@return the reason why the functions are missing; empty if they are there} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    /**
     * {@return whether the functions are there, for elements of a size}
     *
     * @param elementBytes the size
     */
    public static boolean handles(int elementBytes) {
        return CODE.denial() == null
                && (elementBytes == 2 || elementBytes == 4 || elementBytes == 8);
    }

    /**
     * Puts the bytes of elements together. The caller keeps the planes alive until the call
     * returns. The call keeps the target alive, which {@linkplain MachineCodeRowCopy#isCounted may
     * be slow}.
     *
     * @param planes one for each byte of an element, of a size that it {@link #handles}: native
     *     memory, not a mapped file
     * @param from offset of the first byte in each plane
     * @param target native memory, not a mapped file; does not overlap the planes
     * @param to offset of the first element in the target, in bytes
     * @param rows one plane of rows: their bytes are the elements of a row, and their source is a
     *     plane of {@code planes}
     */
    public static void unshuffle(
            MemorySegment[] planes, long from, MemorySegment target, long to, RowPlanes rows) {
        checkIsThere();
        rows.checkCounts();
        if (!handles(planes.length) || rows.planes() != 1) {
            throw new IllegalArgumentException(planes.length + " planes, " + rows);
        }
        for (MemorySegment plane : planes) {
            MachineCodeRowCopy.checkMemory(plane, target);
        }
        if (rows.isNothing()) {
            return;
        }
        for (MemorySegment plane : planes) {
            rows.check(from, rows.sourceStride(), 0, plane);
        }
        rows.ofElements(planes.length).check(to, rows.targetStride(), 0, target);
        try {
            CODE.callUnshuffle(target.asSlice(to), rows, planes, from);
        } finally {
            Reference.reachabilityFence(planes);
        }
    }

    /**
     * Makes planes of bytes from shuffled bits: from rows of bits (all lowest bits of the elements'
     * first bytes, then all second ones) to all first bytes, then all second ones.
     *
     * @param bits shape {@code (8 * planes, rowBytes)}: native memory, not a mapped file
     * @param target shape {@code (planes, 8 * rowBytes)}: native memory, not a mapped file; does
     *     not overlap the bits
     * @param planes size of an element in bytes
     * @param rowBytes an eighth of the number of elements
     */
    public static void bitsToPlanes(
            MemorySegment bits, MemorySegment target, int planes, long rowBytes) {
        bitsToPlanes(bits, target, planes, rowBytes, CODE.multiplies());
    }

    /** {@code byMultiplying} requires that the CPU {@link #multipliesMatrices}. */
    static void bitsToPlanes(
            MemorySegment bits,
            MemorySegment target,
            int planes,
            long rowBytes,
            boolean byMultiplying) {
        checkIsThere();
        MachineCodeRowCopy.checkMemory(bits, target);
        if (planes < 0 || rowBytes < 0) {
            throw new IllegalArgumentException(planes + " planes, rows of " + rowBytes);
        }
        long bytes = Math.multiplyExact((long) Byte.SIZE * planes, rowBytes);
        Objects.checkFromIndexSize(0, bytes, bits.byteSize());
        Objects.checkFromIndexSize(0, bytes, target.byteSize());
        CODE.callBitsToPlanes(bits, rowBytes, target, planes, byMultiplying);
    }

    /** Returns the functions, which are there. */
    static MachineCodeEntries entries() {
        return CODE.entries();
    }

    /** Returns the address of the function that puts bytes together, which is there. */
    static long unshuffleAddress() {
        return CODE.unshuffleAddress();
    }

    static boolean multipliesMatrices() {
        return CODE.multiplies();
    }

    private static void checkIsThere() {
        if (CODE.denial() != null) {
            throw new UnsupportedOperationException(CODE.denial());
        }
    }
}
