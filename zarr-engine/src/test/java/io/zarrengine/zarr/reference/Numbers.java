package io.zarrengine.zarr.reference;

/** Conversion of single numbers to and from little-endian bytes. */
final class Numbers {
    private Numbers() {}

    static byte[] ofBits(long bits, int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (bits >> (8 * i));
        }
        return bytes;
    }

    static long toBits(byte[] bytes) {
        long bits = 0;
        for (int i = 0; i < bytes.length; i++) {
            bits |= (bytes[i] & 0xffL) << (8 * i);
        }
        return bits;
    }

    static long toLong(ReferenceType type, byte[] element) {
        if (!type.isInteger()) {
            return (long) toDouble(type, element);
        }
        long bits = toBits(element);
        if (type.kind() == ReferenceType.Kind.SIGNED) {
            int unused = 64 - 8 * type.size();
            return bits << unused >> unused;
        }
        return bits;
    }

    static double toDouble(ReferenceType type, byte[] element) {
        long bits = toBits(element);
        return switch (type.kind()) {
            case BOOL -> bits;
            case SIGNED, UNSIGNED -> (double) toLong(type, element);
            case FLOAT ->
                    switch (type.bits()) {
                        case 16 -> Float.float16ToFloat((short) bits);
                        case 32 -> Float.intBitsToFloat((int) bits);
                        default -> Double.longBitsToDouble(bits);
                    };
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    static byte[] ofLong(ReferenceType type, long value) {
        return type.isInteger() ? ofBits(value, type.size()) : ofDouble(type, (double) value);
    }

    /** Converts a number; for integers the fraction is cut off. */
    static byte[] ofDouble(ReferenceType type, double value) {
        return switch (type.kind()) {
            case BOOL -> ofBits(value == 0 ? 0 : 1, 1);
            case SIGNED, UNSIGNED -> ofBits((long) value, type.size());
            case FLOAT ->
                    switch (type.bits()) {
                        case 16 -> ofBits(Float.floatToFloat16((float) value), 2);
                        case 32 -> ofBits(Float.floatToRawIntBits((float) value), 4);
                        default -> ofBits(Double.doubleToRawLongBits(value), 8);
                    };
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    /** Returns a number as another type. */
    static byte[] cast(ReferenceType from, ReferenceType to, byte[] element) {
        return from.isInteger()
                ? ofLong(to, toLong(from, element))
                : ofDouble(to, toDouble(from, element));
    }
}
