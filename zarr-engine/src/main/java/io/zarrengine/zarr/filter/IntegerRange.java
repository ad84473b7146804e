package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import java.math.BigInteger;

/**
 * The range of an integer type.
 *
 * @param min smallest number
 * @param max largest number
 */
record IntegerRange(BigInteger min, BigInteger max) {
    static IntegerRange of(NumericType type) {
        boolean signed = type.kind() == Kind.SIGNED;
        int magnitudeBits = signed ? type.bits() - 1 : type.bits();
        BigInteger power = BigInteger.ONE.shiftLeft(magnitudeBits);
        return new IntegerRange(
                signed ? power.negate() : BigInteger.ZERO, power.subtract(BigInteger.ONE));
    }

    boolean contains(BigInteger value) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }

    /** Returns an element as a number. */
    static BigInteger value(NumericType type, long bits) {
        long value = Numbers.toLong(type, bits);
        BigInteger number = BigInteger.valueOf(value);
        boolean wrapped = value < 0 && type.kind() != Kind.SIGNED;
        return wrapped ? number.add(BigInteger.ONE.shiftLeft(Long.SIZE)) : number;
    }
}
