package io.zarrengine.zarr.filter;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;

/**
 * Loads and stores blocks of numbers as arrays, in loops that the compiler vectorizes. Each loop is
 * a method of its own, so that it is compiled for its types: in one method, the loops that ran
 * later were slow.
 */
public final class NumberBlocks {
    /** Most numbers in a block. */
    public static final int LENGTH = 1024;

    private NumberBlocks() {}

    /** {@return the length of the block that begins at number {@code from} of {@code elements}} */
    static int count(long from, long elements) {
        return (int) Math.min(LENGTH, elements - from);
    }

    /**
     * {@return whether float64 can represent every number of a type, so that it can be loaded as
     * one}
     *
     * @param type the type
     */
    public static boolean areDoubles(NumericType type) {
        return switch (type) {
            case INT8, INT16, INT32, UINT8, UINT16, UINT32, FLOAT16, FLOAT32, FLOAT64 -> true;
            default -> false;
        };
    }

    /**
     * {@return whether a type is an integer of whole bytes, and can be loaded as int64}
     *
     * @param type the type
     */
    public static boolean areLongs(NumericType type) {
        return switch (type) {
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 -> true;
            default -> false;
        };
    }

    /**
     * Loads numbers of a type whose numbers {@link #areDoubles}.
     *
     * @param type the type
     * @param source the elements, in native byte order
     * @param from index of the first element
     * @param values receives the numbers, from index 0
     * @param count number of elements
     */
    public static void load(
            NumericType type, MemorySegment source, long from, double[] values, int count) {
        switch (type) {
            case INT8 -> loadInt8(source, from, values, count);
            case UINT8 -> loadUint8(source, from, values, count);
            case INT16 -> loadInt16(source, from, values, count);
            case UINT16 -> loadUint16(source, from, values, count);
            case INT32 -> loadInt32(source, from, values, count);
            case UINT32 -> loadUint32(source, from, values, count);
            case FLOAT16 -> loadFloat16(source, from, values, count);
            case FLOAT32 -> loadFloat32(source, from, values, count);
            case FLOAT64 -> loadFloat64(source, from, values, count);
            default -> throw new AssertionError(type);
        }
    }

    private static void loadInt8(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.get(JAVA_BYTE, from + i);
        }
    }

    private static void loadUint8(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.get(JAVA_BYTE, from + i) & 0xff;
        }
    }

    private static void loadInt16(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_SHORT_UNALIGNED, from + i);
        }
    }

    private static void loadUint16(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_SHORT_UNALIGNED, from + i) & 0xffff;
        }
    }

    private static void loadInt32(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_INT_UNALIGNED, from + i);
        }
    }

    private static void loadUint32(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_INT_UNALIGNED, from + i) & 0xffff_ffffL;
        }
    }

    private static void loadFloat16(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            float value = Float.float16ToFloat(source.getAtIndex(JAVA_SHORT_UNALIGNED, from + i));
            values[i] = Float.isNaN(value) ? Double.NaN : value; // any NaN
        }
    }

    private static void loadFloat32(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_FLOAT_UNALIGNED, from + i);
        }
    }

    private static void loadFloat64(MemorySegment source, long from, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_DOUBLE_UNALIGNED, from + i);
        }
    }

    /** Loads the same types, each number rounded to float32. */
    static void load(NumericType type, MemorySegment source, long from, float[] values, int count) {
        switch (type) {
            case INT8 -> loadInt8(source, from, values, count);
            case UINT8 -> loadUint8(source, from, values, count);
            case INT16 -> loadInt16(source, from, values, count);
            case UINT16 -> loadUint16(source, from, values, count);
            case INT32 -> loadInt32(source, from, values, count);
            case UINT32 -> loadUint32(source, from, values, count);
            case FLOAT16 -> loadFloat16(source, from, values, count);
            case FLOAT32 -> loadFloat32(source, from, values, count);
            case FLOAT64 -> loadFloat64(source, from, values, count);
            default -> throw new AssertionError(type);
        }
    }

    private static void loadInt8(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.get(JAVA_BYTE, from + i);
        }
    }

    private static void loadUint8(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.get(JAVA_BYTE, from + i) & 0xff;
        }
    }

    private static void loadInt16(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_SHORT_UNALIGNED, from + i);
        }
    }

    private static void loadUint16(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_SHORT_UNALIGNED, from + i) & 0xffff;
        }
    }

    private static void loadInt32(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_INT_UNALIGNED, from + i);
        }
    }

    private static void loadUint32(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_INT_UNALIGNED, from + i) & 0xffff_ffffL;
        }
    }

    private static void loadFloat16(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            float value = Float.float16ToFloat(source.getAtIndex(JAVA_SHORT_UNALIGNED, from + i));
            values[i] = Float.isNaN(value) ? Float.NaN : value;
        }
    }

    private static void loadFloat32(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_FLOAT_UNALIGNED, from + i);
        }
    }

    private static void loadFloat64(MemorySegment source, long from, float[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = (float) source.getAtIndex(JAVA_DOUBLE_UNALIGNED, from + i);
        }
    }

    /**
     * Loads integers of a type whose numbers {@link #areLongs}, uint64 as its bits; or float32 and
     * float64, without their fractions.
     *
     * @param type the type
     * @param source the elements, in native byte order
     * @param from index of the first element
     * @param values receives the numbers, from index 0
     * @param count number of elements
     */
    public static void load(
            NumericType type, MemorySegment source, long from, long[] values, int count) {
        switch (type) {
            case INT8 -> loadInt8(source, from, values, count);
            case UINT8 -> loadUint8(source, from, values, count);
            case INT16 -> loadInt16(source, from, values, count);
            case UINT16 -> loadUint16(source, from, values, count);
            case INT32 -> loadInt32(source, from, values, count);
            case UINT32 -> loadUint32(source, from, values, count);
            case INT64, UINT64 -> loadInt64(source, from, values, count);
            case FLOAT32 -> loadFloat32(source, from, values, count);
            case FLOAT64 -> loadFloat64(source, from, values, count);
            default -> throw new AssertionError(type);
        }
    }

    private static void loadInt8(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.get(JAVA_BYTE, from + i);
        }
    }

    private static void loadUint8(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.get(JAVA_BYTE, from + i) & 0xff;
        }
    }

    private static void loadInt16(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_SHORT_UNALIGNED, from + i);
        }
    }

    private static void loadUint16(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_SHORT_UNALIGNED, from + i) & 0xffff;
        }
    }

    private static void loadInt32(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_INT_UNALIGNED, from + i);
        }
    }

    private static void loadUint32(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_INT_UNALIGNED, from + i) & 0xffff_ffffL;
        }
    }

    private static void loadInt64(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = source.getAtIndex(JAVA_LONG_UNALIGNED, from + i);
        }
    }

    private static void loadFloat32(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = (long) source.getAtIndex(JAVA_FLOAT_UNALIGNED, from + i);
        }
    }

    private static void loadFloat64(MemorySegment source, long from, long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = (long) source.getAtIndex(JAVA_DOUBLE_UNALIGNED, from + i);
        }
    }

    /** Stores float32. */
    static void store(float[] values, int count, MemorySegment target, long from) {
        for (int i = 0; i < count; i++) {
            target.setAtIndex(JAVA_FLOAT_UNALIGNED, from + i, values[i]);
        }
    }

    /**
     * Stores float32 or float64.
     *
     * @param type the type
     * @param values the numbers, from index 0
     * @param count number of elements
     * @param target receives the elements, in native byte order
     * @param from index of the first element
     */
    public static void store(
            NumericType type, double[] values, int count, MemorySegment target, long from) {
        if (type == NumericType.FLOAT32) {
            storeFloat32(values, count, target, from);
        } else {
            storeFloat64(values, count, target, from);
        }
    }

    private static void storeFloat32(double[] values, int count, MemorySegment target, long from) {
        for (int i = 0; i < count; i++) {
            target.setAtIndex(JAVA_FLOAT_UNALIGNED, from + i, (float) values[i]);
        }
    }

    private static void storeFloat64(double[] values, int count, MemorySegment target, long from) {
        for (int i = 0; i < count; i++) {
            target.setAtIndex(JAVA_DOUBLE_UNALIGNED, from + i, values[i]);
        }
    }

    /**
     * Stores the low bytes of integers.
     *
     * @param type the type
     * @param values the numbers, from index 0
     * @param count number of elements
     * @param target receives the elements, in native byte order
     * @param from index of the first element
     */
    public static void store(
            NumericType type, long[] values, int count, MemorySegment target, long from) {
        switch (type.byteSize()) {
            case Byte.BYTES -> storeBytes(values, count, target, from);
            case Short.BYTES -> storeShorts(values, count, target, from);
            case Integer.BYTES -> storeInts(values, count, target, from);
            default -> storeLongs(values, count, target, from);
        }
    }

    private static void storeBytes(long[] values, int count, MemorySegment target, long from) {
        for (int i = 0; i < count; i++) {
            target.set(JAVA_BYTE, from + i, (byte) values[i]);
        }
    }

    private static void storeShorts(long[] values, int count, MemorySegment target, long from) {
        for (int i = 0; i < count; i++) {
            target.setAtIndex(JAVA_SHORT_UNALIGNED, from + i, (short) values[i]);
        }
    }

    private static void storeInts(long[] values, int count, MemorySegment target, long from) {
        for (int i = 0; i < count; i++) {
            target.setAtIndex(JAVA_INT_UNALIGNED, from + i, (int) values[i]);
        }
    }

    private static void storeLongs(long[] values, int count, MemorySegment target, long from) {
        for (int i = 0; i < count; i++) {
            target.setAtIndex(JAVA_LONG_UNALIGNED, from + i, values[i]);
        }
    }
}
