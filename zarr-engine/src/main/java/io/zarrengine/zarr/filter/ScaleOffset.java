package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The {@code scale_offset} codec: An element is the stored number divided by the scale, plus the
 * offset, in the arithmetic of its type.
 *
 * @param type the type of the elements, stored and wanted
 * @param scale one element, in the low bits
 * @param offset one element, in the low bits
 * @param elements how many
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/scale_offset">
 *     zarr-extensions, scale_offset</a>
 */
record ScaleOffset(NumericType type, long scale, long offset, long elements)
        implements ArrayFilter {
    static final String NAME = "scale_offset";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytes() {
        return elements * type.byteSize();
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
            throws CodecException {
        boolean integer = Numbers.isInteger(type);
        for (long i = 0; i < elements; i++) {
            long bits = Numbers.bits(type, encoded, i);
            Numbers.setBits(type, decoded, i, integer ? integer(bits) : floating(bits));
        }
    }

    /** Returns steps for floats only, because an integer may be refused. */
    @Override
    public Optional<NumberSteps> steps() {
        return Numbers.isLargeFloat(type)
                ? NumberSteps.of(
                        type,
                        new NumberSteps.Step.Scale(type.toDouble(scale), type.toDouble(offset)))
                : Optional.empty();
    }

    private long floating(long bits) throws CodecException {
        double quotient = type.toDouble(bits) / type.toDouble(scale);
        double rounded = type.toDouble(Numbers.nearest(NAME, type, quotient));
        return Numbers.nearest(NAME, type, rounded + type.toDouble(offset));
    }

    /** Decodes without large numbers, if 63 bits hold all values and no error occurs. */
    private long integer(long bits) throws CodecException {
        boolean fits = type.kind() == NumericType.Kind.SIGNED || type.bits() < Long.SIZE;
        long value = Numbers.toLong(type, bits);
        long divisor = Numbers.toLong(type, scale);
        if (fits && value != Long.MIN_VALUE) {
            long addend = Numbers.toLong(type, offset);
            long quotient = value / divisor;
            long sum = quotient + addend;
            boolean overflows = ((quotient ^ sum) & (addend ^ sum)) < 0;
            boolean isWhole = quotient * divisor == value;
            if (isWhole && !overflows && Numbers.toLong(type, sum) == sum) {
                return sum;
            }
        }
        return exactly(bits);
    }

    /**
     * Decodes with large numbers. A result that the type cannot represent is an error, including a
     * fraction.
     */
    long exactly(long bits) throws CodecException {
        BigInteger[] quotient = big(bits).divideAndRemainder(big(scale));
        BigInteger result = quotient[0].add(big(offset));
        if (quotient[1].signum() != 0 || !IntegerRange.of(type).contains(result)) {
            throw new CodecException(
                    NAME,
                    "the stored "
                            + big(bits)
                            + " / "
                            + big(scale)
                            + " + "
                            + big(offset)
                            + " is no "
                            + type.typeName());
        }
        return result.longValue();
    }

    private BigInteger big(long bits) {
        return IntegerRange.value(type, bits);
    }

    /** Encodes one element: subtracts the offset, then multiplies by the scale. */
    record OfFill(NumericType type, long scale, long offset) implements ArrayFilter {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public long encodedBytes() {
            return type.byteSize();
        }

        @Override
        public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
                throws CodecException {
            long bits = Numbers.bits(type, encoded, 0);
            Numbers.setBits(
                    type, decoded, 0, Numbers.isInteger(type) ? integer(bits) : floating(bits));
        }

        private long floating(long bits) throws CodecException {
            double difference = type.toDouble(bits) - type.toDouble(offset);
            double rounded = type.toDouble(Numbers.nearest(NAME, type, difference));
            return Numbers.nearest(NAME, type, rounded * type.toDouble(scale));
        }

        private long integer(long bits) throws CodecException {
            BigInteger difference =
                    IntegerRange.value(type, bits).subtract(IntegerRange.value(type, offset));
            BigInteger result = difference.multiply(IntegerRange.value(type, scale));
            if (!IntegerRange.of(type).contains(result)) {
                throw new CodecException(NAME, result + " is no " + type.typeName());
            }
            return result.longValue();
        }
    }
}
