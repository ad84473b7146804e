package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Casts to integers, block by block: the low bits of integers, floats without their fractions. */
final class IntegerSteps {
    private IntegerSteps() {}

    /**
     * Does what a filter does to each number; false, and nothing is done, if this is not the way.
     *
     * @param numbers what the filter does, if it can be said so
     * @param elements how many
     */
    static boolean decode(
            Optional<NumberSteps> numbers,
            MemorySegment encoded,
            MemorySegment decoded,
            long elements) {
        if (numbers.isEmpty()
                || numbers.get().steps().size() != 1
                || !(numbers.get().steps().getFirst() instanceof NumberSteps.Step.ToType cast)
                || !casts(numbers.get().stored(), cast.to())) {
            return false;
        }
        long[] values = new long[NumberBlocks.LENGTH];
        for (long from = 0; from < elements; from += NumberBlocks.LENGTH) {
            int count = NumberBlocks.count(from, elements);
            NumberBlocks.load(numbers.get().stored(), encoded, from, values, count);
            NumberBlocks.store(cast.to(), values, count, decoded, from);
        }
        return true;
    }

    /** Of the upper half of uint64, a cast of a float goes another way. */
    static boolean casts(NumericType from, NumericType to) {
        return NumberBlocks.areLongs(to)
                && (NumberBlocks.areLongs(from)
                        || (Numbers.isLargeFloat(from) && to != NumericType.UINT64));
    }
}
