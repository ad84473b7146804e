package io.zarrengine.cuda;

import io.zarrengine.cuda.Conversion.NumberType;
import io.zarrengine.cuda.Conversion.Step;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The slow twin of {@code zarr_convert}: converts one number after another, in numbers that never
 * wrap.
 */
final class SlowConversion {
    private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger ULONG_MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private SlowConversion() {}

    /** Converts the low bits of a number to the bits of the result. */
    static long converted(Conversion conversion, long stored) {
        long bits = stored;
        NumberType type = conversion.stored();
        for (Step step : conversion.steps()) {
            switch (step) {
                case Step.Cast cast -> {
                    bits = cast(bits, type, cast.to());
                    type = cast.to();
                }
                case Step.Scale scale -> bits = scaled(bits, type, scale);
            }
        }
        return bits;
    }

    private static long scaled(long bits, NumberType type, Step.Scale scale) {
        if (type == NumberType.FLOAT32) {
            float quotient = (float) (toDouble(bits, type) / scale.divisor());
            return ofDouble((float) (quotient + scale.addend()), type);
        }
        return ofDouble(toDouble(bits, type) / scale.divisor() + scale.addend(), type);
    }

    private static double toDouble(long bits, NumberType type) {
        return type == NumberType.FLOAT32
                ? Float.intBitsToFloat((int) bits)
                : Double.longBitsToDouble(bits);
    }

    private static long ofDouble(double value, NumberType type) {
        return type == NumberType.FLOAT32
                ? Integer.toUnsignedLong(Float.floatToRawIntBits((float) value))
                : Double.doubleToRawLongBits(value);
    }

    private static long cast(long bits, NumberType from, NumberType to) {
        if (from.isFloat()) {
            double value = toDouble(bits, from);
            return to.isFloat() ? ofDouble(value, to) : nearest(value, to).longValue();
        }
        BigInteger value = integer(bits, from);
        return switch (to) {
            case FLOAT32 ->
                    Integer.toUnsignedLong(
                            Float.floatToRawIntBits(new BigDecimal(value).floatValue()));
            case FLOAT64 -> Double.doubleToRawLongBits(new BigDecimal(value).doubleValue());
            default -> value.longValue();
        };
    }

    private static BigInteger nearest(double value, NumberType to) {
        if (Double.isNaN(value)) {
            return BigInteger.ZERO;
        }
        double finite = Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE);
        BigInteger max = to == NumberType.UINT64 ? ULONG_MAX : LONG_MAX;
        return new BigDecimal(finite).toBigInteger().max(LONG_MIN).min(max);
    }

    private static BigInteger integer(long bits, NumberType type) {
        BigInteger modulus = BigInteger.TWO.pow(Byte.SIZE * type.bytes());
        BigInteger value = BigInteger.valueOf(bits).mod(modulus);
        boolean isNegative = isSigned(type) && value.testBit(Byte.SIZE * type.bytes() - 1);
        return isNegative ? value.subtract(modulus) : value;
    }

    private static boolean isSigned(NumberType type) {
        return switch (type) {
            case INT8, INT16, INT32, INT64 -> true;
            default -> false;
        };
    }
}
