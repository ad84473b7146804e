package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/**
 * The {@code cast_value} codec: elements stored as another type, converted by value.
 *
 * @param stored the type of the stored elements
 * @param wanted the type of the array
 * @param rounding for numbers that the type cannot represent
 * @param outOfRange rule for numbers beyond the type
 * @param scalarMap from stored elements to wanted ones, both as bits
 * @param elements number of elements
 * @see <a
 *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/cast_value">zarr-extensions,
 *     cast_value</a>
 */
record CastValue(
        NumericType stored,
        NumericType wanted,
        Rounding rounding,
        OutOfRange outOfRange,
        Map<Long, Long> scalarMap,
        long elements)
        implements ArrayFilter {
    static final String NAME = "cast_value";

    /** A rule for numbers beyond the type. */
    enum OutOfRange {
        REFUSE,
        CLAMP,
        WRAP
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytes() {
        return elements * stored.byteSize();
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
            throws CodecException {
        boolean plain = isAlwaysExact() && scalarMap.isEmpty();
        boolean small = Numbers.isInteger(wanted) && wanted.bits() < Long.SIZE;
        boolean isNarrowing = stored == NumericType.FLOAT64 && wanted == NumericType.FLOAT32;
        IntegerRange range = small ? IntegerRange.of(wanted) : null;
        for (long i = 0; i < elements; i++) {
            long bits = Numbers.bits(stored, encoded, i);
            long converted;
            if (plain) {
                converted = Cast.cast(NAME, stored, wanted, bits);
            } else if (small && scalarMap.isEmpty()) {
                converted = toSmallInteger(bits, range.min().longValue(), range.max().longValue());
            } else if (isNarrowing && scalarMap.isEmpty()) {
                converted = toFloat32(bits);
            } else {
                converted = convert(bits);
            }
            Numbers.setBits(wanted, decoded, i, converted);
        }
    }

    /** Converts without large numbers, as long as 63 bits hold the value. */
    private long toSmallInteger(long bits, long min, long max) throws CodecException {
        long value;
        if (Numbers.isInteger(stored)) {
            value = Numbers.toLong(stored, bits);
            if (value < 0 && stored.kind() != NumericType.Kind.SIGNED) {
                return convert(bits);
            }
        } else {
            double whole = rounding.toWhole(stored.toDouble(bits));
            if (!(Math.abs(whole) < 0x1p63)) { // or NaN
                return convert(bits);
            }
            value = (long) whole;
        }
        if (value >= min && value <= max) {
            return value;
        }
        return outOfRange == OutOfRange.CLAMP ? Math.clamp(value, min, max) : convert(bits);
    }

    /** Converts without large numbers, except near the ends of the range. */
    private long toFloat32(long bits) throws CodecException {
        double value = Double.longBitsToDouble(bits);
        float nearest = (float) value;
        if (!(Math.abs(nearest) < Float.MAX_VALUE)) { // or NaN
            return convert(bits);
        }
        float rounded = nearest == value ? nearest : rounding.toFloat32(value, nearest);
        return Integer.toUnsignedLong(Float.floatToRawIntBits(rounded));
    }

    /** Returns a cast if no number can be refused, and all are rounded as a cast rounds them. */
    @Override
    public Optional<NumberSteps> steps() {
        boolean isCast =
                isAlwaysExact()
                        || (rounding == Rounding.NEAREST_EVEN && isNeverBeyond())
                        || (outOfRange == OutOfRange.WRAP
                                && Numbers.isInteger(stored)
                                && Numbers.isInteger(wanted));
        return isCast && scalarMap.isEmpty()
                ? NumberSteps.of(stored, new NumberSteps.Step.ToType(wanted))
                : Optional.empty();
    }

    /**
     * Returns whether rounding each number to nearest yields a number of the type, infinity
     * included.
     */
    private boolean isNeverBeyond() {
        return Numbers.isLargeFloat(wanted)
                && (Numbers.isInteger(stored) || outOfRange == OutOfRange.CLAMP);
    }

    /** Returns whether the wanted type can represent every number of the stored type. */
    private boolean isAlwaysExact() {
        if (Numbers.isInteger(stored)) {
            if (Numbers.isInteger(wanted)) {
                IntegerRange from = IntegerRange.of(stored);
                IntegerRange to = IntegerRange.of(wanted);
                return to.contains(from.min()) && to.contains(from.max());
            }
            return (wanted == NumericType.FLOAT64 && stored.bits() <= 32)
                    || (wanted == NumericType.FLOAT32 && stored.bits() <= 16);
        }
        return stored == wanted
                || wanted == NumericType.FLOAT64
                || (wanted == NumericType.FLOAT32 && stored.bits() < 32);
    }

    /** Converts any number exactly. */
    long convert(long bits) throws CodecException {
        Long mapped = scalarMap.get(bits);
        if (mapped != null) {
            return mapped;
        }
        if (Numbers.isInteger(stored)) {
            BigDecimal exact = new BigDecimal(IntegerRange.value(stored, bits));
            return Numbers.isInteger(wanted) ? toInteger(exact) : toFloat(exact);
        }
        double value = stored.toDouble(bits);
        if (Double.isFinite(value) && value != 0) {
            BigDecimal exact = new BigDecimal(value);
            return Numbers.isInteger(wanted) ? toInteger(exact) : toFloat(exact);
        }
        return special(value);
    }

    /** Converts zeros, infinities and NaN. */
    private long special(double value) throws CodecException {
        if (Numbers.isInteger(wanted)) {
            if (value != 0) {
                throw refused(value);
            }
            return 0;
        }
        try {
            return wanted.nearest(value);
        } catch (IllegalArgumentException e) {
            throw refused(value);
        }
    }

    private long toInteger(BigDecimal value) throws CodecException {
        BigInteger whole = rounding.toWhole(value);
        IntegerRange range = IntegerRange.of(wanted);
        if (range.contains(whole)) {
            return whole.longValue();
        }
        return switch (outOfRange) {
            case REFUSE -> throw refused(value);
            case CLAMP -> whole.max(range.min()).min(range.max()).longValue();
            case WRAP -> Numbers.toLong(wanted, whole.longValue());
        };
    }

    private long toFloat(BigDecimal value) throws CodecException {
        if (rounding.staysInRange(wanted, value)) {
            return rounding.toFloat(wanted, value);
        }
        if (outOfRange != OutOfRange.CLAMP) {
            throw refused(value);
        }
        try {
            return wanted.nearest(value.signum() * Double.POSITIVE_INFINITY);
        } catch (IllegalArgumentException e) { // Without infinity, the end of the range.
            boolean isBelowAll = value.signum() < 0 && wanted == NumericType.FLOAT8_E8M0FNU;
            return isBelowAll ? 0 : wanted.nearest(value.signum() * wanted.largest());
        }
    }

    private CodecException refused(Number value) {
        return new CodecException(
                NAME, "the stored " + value + " cannot be a " + wanted.typeName());
    }
}
