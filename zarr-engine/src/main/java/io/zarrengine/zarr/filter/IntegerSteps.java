package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;

/**
 * A cast to an integer: keeps the low bits of integers, and cuts off the fractions of floats.
 *
 * @param stored the type of the stored numbers
 * @param wanted the type of the results
 */
record IntegerSteps(NumericType stored, NumericType wanted) implements StepLoop {
    static boolean takes(NumberSteps numbers) {
        return numbers.steps().size() == 1
                && numbers.casts().size() == 1
                && casts(numbers.stored(), numbers.wanted());
    }

    /** Returns the cast of steps that this {@link #takes}. */
    static IntegerSteps of(NumberSteps numbers) {
        return new IntegerSteps(numbers.stored(), numbers.wanted());
    }

    /**
     * Returns whether this class casts a type to another. It excludes casts from floats to uint64,
     * whose upper half needs another conversion.
     */
    static boolean casts(NumericType from, NumericType to) {
        return NumberBlocks.areLongs(to)
                && (NumberBlocks.areLongs(from)
                        || (Numbers.isLargeFloat(from) && to != NumericType.UINT64));
    }

    @Override
    public void decode(
            MemorySegment encoded, MemorySegment decoded, long elements, BlockArrays arrays) {
        long[] values = arrays.longs();
        for (long from = 0; from < elements; from += NumberBlocks.LENGTH) {
            int count = NumberBlocks.count(from, elements);
            NumberBlocks.load(stored, encoded, from, values, count);
            NumberBlocks.store(wanted, values, count, decoded, from);
        }
    }
}
