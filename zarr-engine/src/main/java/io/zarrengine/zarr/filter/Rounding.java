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

    /** The same of a float64; infinities and NaN stay what they are. */
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

    /** A float64 as a float32, of which the nearest is another number, and finite. */
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

    /** Whether a number is one of a floating-point type's, once rounded. */
    boolean staysInRange(NumericType type, BigDecimal value) {
        if (value.signum() < 0 && type == NumericType.FLOAT8_E8M0FNU) { // It has no sign.
            return false;
        }
        boolean isNearest = this == NEAREST_EVEN || this == NEAREST_AWAY;
        BigDecimal largest = new BigDecimal(type.largest());
        return value.abs().compareTo(largest) <= 0
                || (isNearest && magnitude(type, value) == type.nearest(type.largest()));
    }

    /** The element of a floating-point type that a number in its range is rounded to, as bits. */
    long toFloat(NumericType type, BigDecimal value) {
        long magnitude = magnitude(type, value);
        return value.signum() < 0 ? type.nearest(-type.toDouble(magnitude)) : magnitude;
    }

    /**
     * What a number without its sign is rounded to, as bits: once, and not first to a float64.
     * Larger patterns stand for larger numbers, and the one behind the largest for what is beyond.
     */
    private long magnitude(NumericType type, BigDecimal value) {
        BigDecimal exact = value.abs();
        long below = atMost(type, exact);
        BigDecimal low = new BigDecimal(type.toDouble(below));
        if (low.compareTo(exact) >= 0) { // Greater: a type without zero.
            return below;
        }
        return isUp(type, value, below, low) ? below + 1 : below;
    }

    /** The pattern of the largest element that is not greater; the first one if all are. */
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
                BigDecimal step = // Behind the largest, as before it.
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
