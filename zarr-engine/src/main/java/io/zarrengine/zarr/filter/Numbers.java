package io.zarrengine.zarr.filter;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/** Reads and writes elements of a {@link NumericType} one by one, slowly and simply. */
final class Numbers {
    private Numbers() {}

    static boolean isInteger(NumericType type) {
        return switch (type.kind()) {
            case BOOL, SIGNED, UNSIGNED -> true;
            case FLOAT, COMPLEX -> false;
        };
    }

    /** Returns whether the CPU has instructions for a floating-point type. */
    static boolean isLargeFloat(NumericType type) {
        return type == NumericType.FLOAT32 || type == NumericType.FLOAT64;
    }

    /** Returns the bits of an element, in the low bits. */
    static long bits(NumericType type, MemorySegment segment, long index) {
        return switch (type.byteSize()) {
            case 1 -> Byte.toUnsignedLong(segment.get(JAVA_BYTE, index));
            case 2 -> Short.toUnsignedLong(segment.get(JAVA_SHORT_UNALIGNED, 2 * index));
            case 4 -> Integer.toUnsignedLong(segment.get(JAVA_INT_UNALIGNED, 4 * index));
            default -> segment.get(JAVA_LONG_UNALIGNED, 8 * index);
        };
    }

    static void setBits(NumericType type, MemorySegment segment, long index, long bits) {
        switch (type.byteSize()) {
            case 1 -> segment.set(JAVA_BYTE, index, (byte) bits);
            case 2 -> segment.set(JAVA_SHORT_UNALIGNED, 2 * index, (short) bits);
            case 4 -> segment.set(JAVA_INT_UNALIGNED, 4 * index, (int) bits);
            default -> segment.set(JAVA_LONG_UNALIGNED, 8 * index, bits);
        }
    }

    /** Returns the bits of an element in metadata. */
    static long littleEndianBits(byte[] element) {
        long bits = 0;
        for (int i = 0; i < element.length; i++) {
            bits |= Byte.toUnsignedLong(element[i]) << (i * Byte.SIZE);
        }
        return bits;
    }

    /** Returns an integer as 64 bits; a uint64 as its bits. */
    static long toLong(NumericType type, long bits) {
        if (type.kind() == Kind.BOOL) {
            return bits == 0 ? 0 : 1;
        }
        int unused = Long.SIZE - type.bits();
        return type.kind() == Kind.SIGNED ? bits << unused >> unused : bits << unused >>> unused;
    }

    /**
     * Returns the floating-point element nearest to a number, as bits.
     *
     * @param codec name of the codec, for the error
     * @throws CodecException if the type has none
     */
    static long nearest(String codec, NumericType type, double value) throws CodecException {
        try {
            return type.nearest(value);
        } catch (IllegalArgumentException e) {
            throw new CodecException(codec, e.getMessage(), e);
        }
    }

    /** Returns the floating-point element nearest to an integer, as bits. */
    static long ofInteger(String codec, NumericType to, NumericType from, long value)
            throws CodecException {
        if (to == NumericType.FLOAT32) { // Rounded once, not first to double.
            boolean large = from == NumericType.UINT64 && value < 0;
            float nearest = large ? ((value >>> 1) | (value & 1)) * 2.0f : (float) value;
            return Integer.toUnsignedLong(Float.floatToRawIntBits(nearest));
        }
        return nearest(codec, to, from.toDouble(value));
    }
}
