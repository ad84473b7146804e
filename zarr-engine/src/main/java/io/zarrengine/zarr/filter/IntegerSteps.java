package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;

/**
 * A cast to an integer: the low bits of integers, floats without their fractions.
 *
 * @param stored the type that is stored
 * @param wanted the type that it becomes
 */
record IntegerSteps(NumericType stored, NumericType wanted) implements StepLoop {
    static boolean takes(NumberSteps numbers) {
        return numbers.steps().size() == 1
                && numbers.casts().size() == 1
                && casts(numbers.stored(), numbers.wanted());
    }

    /** The steps that it {@link #takes}. */
    static IntegerSteps of(NumberSteps numbers) {
        return new IntegerSteps(numbers.stored(), numbers.wanted());
    }

    /** Of the upper half of uint64, a cast of a float goes another way. */
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
