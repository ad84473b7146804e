package io.zarrengine.zarr.transform;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.filter.NumberBlocks;
import java.lang.foreign.MemorySegment;

/** Rounds blocks of numbers to a type and stores them. For one thread at a time. */
final class Casts {
    private static final double TWO_63 = 0x1p63;
    private static final double TWO_64 = 0x1p64;

    private final NumericType type;
    private final Overflow overflow;
    private final long[] integers = new long[NumberBlocks.LENGTH];

    Casts(NumericType type, Overflow overflow) {
        this.type = type;
        this.overflow = overflow;
    }

    void store(double[] values, int count, MemorySegment target, long at) {
        switch (type) {
            case FLOAT32, FLOAT64 -> NumberBlocks.store(type, values, count, target, at);
            case FLOAT16 -> storeFloat16(values, count, target, at);
            case BFLOAT16 -> storeBfloat16(values, count, target, at);
            case BOOL -> storeBool(values, count, target, at);
            default -> {
                if (overflow == Overflow.WRAP) {
                    wrap(values, integers, count);
                } else if (type == NumericType.UINT64) {
                    clampUint64(values, integers, count);
                } else {
                    clamp(values, integers, count, least(), greatest());
                }
                NumberBlocks.store(type, integers, count, target, at);
            }
        }
    }

    private boolean isSigned() {
        return type.kind() == NumericType.Kind.SIGNED;
    }

    private long least() {
        return isSigned() ? -1L << (type.bits() - 1) : 0;
    }

    private long greatest() {
        return isSigned() ? ~least() : -1L >>> (Long.SIZE - type.bits());
    }

    private static void storeFloat16(double[] values, int count, MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            short bits = Float.floatToFloat16((float) values[i]);
            target.setAtIndex(JAVA_SHORT_UNALIGNED, at + i, bits);
        }
    }

    /** Adds half of the last place, less one unit if that place is even, and cuts. */
    private static void storeBfloat16(double[] values, int count, MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            float value = (float) values[i];
            int bits = Float.floatToRawIntBits(value);
            int rounded = bits + 0x7fff + ((bits >>> Short.SIZE) & 1);
            int nearest = Float.isNaN(value) ? bits | 0x0040_0000 : rounded; // NaN stays NaN
            target.setAtIndex(JAVA_SHORT_UNALIGNED, at + i, (short) (nearest >>> Short.SIZE));
        }
    }

    private static void storeBool(double[] values, int count, MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            target.set(JAVA_BYTE, at + i, (byte) (values[i] == 0 ? 0 : 1));
        }
    }

    private static void clamp(
            double[] values, long[] integers, int count, long least, long greatest) {
        for (int i = 0; i < count; i++) { // The cast clamps to int64, and makes 0 of NaN.
            integers[i] = Math.clamp((long) Math.rint(values[i]), least, greatest);
        }
    }

    private static void clampUint64(double[] values, long[] integers, int count) {
        for (int i = 0; i < count; i++) {
            double whole = Math.rint(values[i]);
            long low = Math.max(0, (long) whole);
            long high = whole >= TWO_64 ? -1L : (long) (whole - TWO_63) ^ Long.MIN_VALUE;
            integers[i] = whole >= TWO_63 ? high : low;
        }
    }

    private static void wrap(double[] values, long[] integers, int count) {
        for (int i = 0; i < count; i++) {
            double whole = Math.rint(values[i]);
            if (Math.abs(whole) < TWO_63) {
                integers[i] = (long) whole;
            } else {
                double rest = whole % TWO_64; // exact; NaN of an infinity
                double signed = rest - (rest >= TWO_63 ? TWO_64 : rest < -TWO_63 ? -TWO_64 : 0);
                integers[i] = (long) signed;
            }
        }
    }

    /** Stores integers of another type without going through float64, which rounds large ones. */
    void store(long[] values, NumericType from, int count, MemorySegment target, long at) {
        if (overflow == Overflow.CLAMP) {
            boolean isUnsigned = from.kind() == NumericType.Kind.UNSIGNED;
            for (int i = 0; i < count; i++) {
                values[i] = clamped(values[i], isUnsigned);
            }
        }
        NumberBlocks.store(type, values, count, target, at);
    }

    /** {@return a number in the range of the type; its bits if the type is uint64} */
    private long clamped(long value, boolean isUnsigned) {
        if (isUnsigned) {
            return Long.compareUnsigned(value, greatest()) > 0 ? greatest() : value;
        }
        if (type == NumericType.UINT64) {
            return Math.max(0, value);
        }
        return Math.clamp(value, least(), greatest());
    }
}
