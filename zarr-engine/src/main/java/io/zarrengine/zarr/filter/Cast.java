package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Elements stored as another type, converted as C and NumPy's {@code astype} do: integers keep
 * their low bits, fractions are cut off, floats are rounded to nearest.
 *
 * @param name in metadata
 * @param stored the type of the stored elements
 * @param wanted the type of the array
 * @param elements number of elements
 */
record Cast(String name, NumericType stored, NumericType wanted, long elements)
        implements ArrayFilter {
    @Override
    public long encodedBytes() {
        return elements * stored.byteSize();
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
            throws CodecException {
        if (stored == wanted) {
            decoded.copyFrom(encoded);
            return;
        }
        boolean complex = stored.kind() == Kind.COMPLEX;
        NumericType from = complex ? stored.part() : stored;
        NumericType to = complex ? wanted.part() : wanted;
        for (long i = 0; i < (complex ? 2 : 1) * elements; i++) {
            Numbers.setBits(to, decoded, i, cast(name, from, to, Numbers.bits(from, encoded, i)));
        }
    }

    @Override
    public Optional<NumberSteps> steps() {
        return stored == wanted
                ? NumberSteps.of(stored)
                : NumberSteps.of(stored, new NumberSteps.Step.ToType(wanted));
    }

    /**
     * Returns one converted element, as bits.
     *
     * @param codec name of the codec, for the error
     * @throws CodecException if the type cannot hold the value: some small floats have no infinity
     */
    static long cast(String codec, NumericType from, NumericType to, long bits)
            throws CodecException {
        if (Numbers.isInteger(from)) {
            long value = Numbers.toLong(from, bits);
            if (to.kind() == Kind.BOOL) {
                return value == 0 ? 0 : 1;
            }
            return Numbers.isInteger(to) ? value : Numbers.ofInteger(codec, to, from, value);
        }
        return ofDouble(codec, to, from.toDouble(bits));
    }

    /**
     * Converts values beyond an integer type, which NumPy leaves undefined, to the nearest 64-bit
     * integer.
     */
    static long ofDouble(String codec, NumericType to, double value) throws CodecException {
        if (to.kind() == Kind.BOOL) {
            return value == 0 ? 0 : 1;
        }
        if (!Numbers.isInteger(to)) {
            return Numbers.nearest(codec, to, value);
        }
        boolean large = to == NumericType.UINT64 && value >= 0x1p63;
        return large ? (long) (value - 0x1p63) ^ Long.MIN_VALUE : (long) value;
    }
}
