package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * How {@code cast_value} rounds a number that the type lacks.
 *
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/cast_value">
 *     zarr-extensions, cast_value</a>
 */
enum Rounding {
    NEAREST_EVEN("nearest-even", RoundingMode.HALF_EVEN),
    TOWARDS_ZERO("towards-zero", RoundingMode.DOWN),
    TOWARDS_POSITIVE("towards-positive", RoundingMode.CEILING),
    TOWARDS_NEGATIVE("towards-negative", RoundingMode.FLOOR),
    NEAREST_AWAY("nearest-away", RoundingMode.HALF_UP);

    private final String name;
    private final RoundingMode mode;

    Rounding(String name, RoundingMode mode) {
        this.name = name;
        this.mode = mode;
    }

    /**
     * Returns the rounding of a name in metadata.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Rounding named(String name) {
        for (Rounding rounding : values()) {
            if (rounding.name.equals(name)) {
                return rounding;
            }
        }
        throw new IllegalArgumentException("is \"" + name + "\", which is no rounding");
    }

    BigInteger toWhole(BigDecimal value) {
        return value.setScale(0, mode).toBigInteger();
    }

    /** Whether a number is one of a floating-point type's, once rounded. */
    boolean staysInRange(NumericType type, BigDecimal value) {
        if (value.abs().compareTo(new BigDecimal(type.largest())) <= 0) {
            return true;
        }
        if (this != NEAREST_EVEN && this != NEAREST_AWAY) {
            return false;
        }
        try {
            return Double.isFinite(type.toDouble(nearest(type, value)));
        } catch (IllegalArgumentException e) { // Beyond a type without infinities.
            return false;
        }
    }

    private static long nearest(NumericType type, BigDecimal value) {
        return type == NumericType.FLOAT32
                ? Integer.toUnsignedLong(Float.floatToRawIntBits(value.floatValue()))
                : type.nearest(value.doubleValue());
    }

    /** The element of a floating-point type that a number in its range is rounded to, as bits. */
    long toFloat(NumericType type, BigDecimal value) {
        long nearest = nearest(type, value);
        BigDecimal got = new BigDecimal(type.toDouble(nearest));
        int side = got.compareTo(value);
        if (this == NEAREST_EVEN || side == 0) {
            return nearest;
        }
        boolean away = got.abs().compareTo(value.abs()) > 0;
        return switch (this) {
            case TOWARDS_ZERO -> away ? nearest - 1 : nearest;
            case TOWARDS_POSITIVE -> side > 0 ? nearest : next(nearest, value.signum() > 0);
            case TOWARDS_NEGATIVE -> side < 0 ? nearest : next(nearest, value.signum() < 0);
            case NEAREST_AWAY, NEAREST_EVEN -> awayAtATie(type, value, nearest, away);
        };
    }

    /** The pattern beside another one: larger patterns are farther from zero. */
    private static long next(long bits, boolean awayFromZero) {
        return awayFromZero ? bits + 1 : bits - 1;
    }

    private static long awayAtATie(NumericType type, BigDecimal value, long nearest, boolean away) {
        if (away) {
            return nearest;
        }
        BigDecimal below = value.subtract(new BigDecimal(type.toDouble(nearest))).abs();
        double neighbour = type.toDouble(nearest + 1);
        boolean tie =
                Double.isFinite(neighbour)
                        && new BigDecimal(neighbour).subtract(value).abs().compareTo(below) == 0;
        return tie ? nearest + 1 : nearest;
    }
}
