package io.zarrengine.zarr.transform;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.filter.NumberBlocks;
import java.lang.foreign.MemorySegment;

/** Loads elements of all real types as blocks of numbers. */
final class Elements {
    private Elements() {}

    /** Loads elements at a distance of {@code stride} elements as float64. */
    static void load(
            NumericType type,
            MemorySegment source,
            long at,
            long stride,
            double[] values,
            int count) {
        if (stride == 1 && NumberBlocks.areDoubles(type)) {
            NumberBlocks.load(type, source, at, values, count);
        } else if (stride == -1) {
            load(type, source, at - (count - 1), 1, values, count);
            reverse(values, count);
        } else if (stride == 1 && type == NumericType.BFLOAT16) {
            loadBfloat16(source, at, values, count);
        } else {
            for (int i = 0; i < count; i++) {
                values[i] = type.toDouble(bits(type, source, at + i * stride));
            }
        }
    }

    private static void loadBfloat16(MemorySegment source, long at, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            int bits = source.getAtIndex(JAVA_SHORT_UNALIGNED, at + i) << Short.SIZE;
            values[i] = Float.intBitsToFloat(bits);
        }
    }

    private static void reverse(double[] values, int count) {
        for (int i = 0, j = count - 1; i < j; i++, j--) {
            double value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
    }

    /** Loads integers at a distance of {@code stride} elements; uint64 as its bits. */
    static void load(
            NumericType type,
            MemorySegment source,
            long at,
            long stride,
            long[] values,
            int count) {
        if (stride == 1) {
            NumberBlocks.load(type, source, at, values, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            values[i] = type.toLong(bits(type, source, at + i * stride));
        }
    }

    private static long bits(NumericType type, MemorySegment source, long at) {
        return switch (type.byteSize()) {
            case Byte.BYTES -> source.get(JAVA_BYTE, at);
            case Short.BYTES -> source.getAtIndex(JAVA_SHORT_UNALIGNED, at);
            case Integer.BYTES -> source.getAtIndex(JAVA_INT_UNALIGNED, at);
            default -> source.getAtIndex(JAVA_LONG_UNALIGNED, at);
        };
    }
}
