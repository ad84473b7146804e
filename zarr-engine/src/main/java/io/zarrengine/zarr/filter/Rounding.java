package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * A rule by which {@code cast_value} rounds a number that the type cannot represent.
 *
 * @see <a
 *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/cast_value">zarr-extensions,
 *     cast_value</a>
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

    /** Rounds a float64 to a whole number; keeps infinities and NaN. */
    double toWhole(double value) {
        return switch (this) {
            case NEAREST_EVEN -> Math.rint(value);
            case TOWARDS_ZERO -> value < 0 ? Math.ceil(value) : Math.floor(value);
            case TOWARDS_POSITIVE -> Math.ceil(value);
            case TOWARDS_NEGATIVE -> Math.floor(value);
            case NEAREST_AWAY -> {
                double below = Math.floor(Math.abs(value));
                boolean isUp = Math.abs(value) - below >= 0.5; // The difference is exact.
                yield Math.copySign(isUp ? below + 1 : below, value);
            }
        };
    }

    /**
     * Rounds a float64 to float32. {@code nearest} is the nearest float32, finite and different
     * from the value.
     */
    float toFloat32(double value, float nearest) {
        float below = nearest < value ? nearest : Math.nextDown(nearest);
        float above = nearest < value ? Math.nextUp(nearest) : nearest;
        return switch (this) {
            case NEAREST_EVEN -> nearest;
            case TOWARDS_ZERO -> value < 0 ? above : below;
            case TOWARDS_POSITIVE -> above;
            case TOWARDS_NEGATIVE -> below;
            case NEAREST_AWAY -> {
                boolean isHalfWay = value - below == above - value; // The differences are exact.
                float away = value < 0 ? below : above;
                yield isHalfWay ? away : nearest;
            }
        };
    }

    BigInteger toWhole(BigDecimal value) {
        return value.setScale(0, mode).toBigInteger();
    }

    /** Returns whether a floating-point type can represent a number once it is rounded. */
    boolean staysInRange(NumericType type, BigDecimal value) {
        if (value.signum() < 0 && type == NumericType.FLOAT8_E8M0FNU) { // The type has no sign.
            return false;
        }
        boolean isNearest = this == NEAREST_EVEN || this == NEAREST_AWAY;
        BigDecimal largest = new BigDecimal(type.largest());
        return value.abs().compareTo(largest) <= 0
                || (isNearest && magnitude(type, value) == type.nearest(type.largest()));
    }

    /** Rounds a number in the range of a floating-point type; returns the element as bits. */
    long toFloat(NumericType type, BigDecimal value) {
        long magnitude = magnitude(type, value);
        return value.signum() < 0 ? type.nearest(-type.toDouble(magnitude)) : magnitude;
    }

    /**
     * Rounds the absolute value of a number once, without going through float64; returns bits.
     * Larger bit patterns are larger numbers. The pattern after the largest number means a number
     * beyond it.
     */
    private long magnitude(NumericType type, BigDecimal value) {
        BigDecimal exact = value.abs();
        long below = atMost(type, exact);
        BigDecimal low = new BigDecimal(type.toDouble(below));
        if (low.compareTo(exact) >= 0) { // Greater only in a type without zero.
            return below;
        }
        return isUp(type, value, below, low) ? below + 1 : below;
    }

    /**
     * Returns the bit pattern of the largest element that is not greater; the first pattern if all
     * are greater.
     */
    private static long atMost(NumericType type, BigDecimal exact) {
        double nearest = exact.doubleValue();
        boolean isGreater = new BigDecimal(nearest).compareTo(exact) > 0;
        double value = Math.min(isGreater ? Math.nextDown(nearest) : nearest, type.largest());
        long bits = type.nearest(value);
        return bits > 0 && type.toDouble(bits) > value ? bits - 1 : bits;
    }

    private boolean isUp(NumericType type, BigDecimal value, long below, BigDecimal low) {
        return switch (this) {
            case TOWARDS_ZERO -> false;
            case TOWARDS_POSITIVE -> value.signum() > 0;
            case TOWARDS_NEGATIVE -> value.signum() < 0;
            case NEAREST_EVEN, NEAREST_AWAY -> {
                boolean isLargest = low.compareTo(new BigDecimal(type.largest())) == 0;
                BigDecimal step = // beyond the largest, the step before it
                        new BigDecimal(type.toDouble(isLargest ? below - 1 : below + 1))
                                .subtract(low)
                                .abs();
                BigDecimal beyond = value.abs().subtract(low);
                int side = beyond.add(beyond).compareTo(step);
                yield side > 0 || (side == 0 && (this == NEAREST_AWAY || below % 2 == 1));
            }
        };
    }
}
