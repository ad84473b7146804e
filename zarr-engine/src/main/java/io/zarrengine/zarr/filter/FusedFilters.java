package io.zarrengine.zarr.filter;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Filters that treat each number by itself, one after the other, undone in one pass.
 *
 * @param name of the last one, which made what is stored
 * @param numbers what all of them do
 * @param loop does it
 * @param encodedBytes the size of the encoded form of a chunk, in bytes
 */
record FusedFilters(String name, NumberSteps numbers, StepLoop loop, long encodedBytes)
        implements ArrayFilter {
    /**
     * {@return filters that do the same in fewer passes, and faster than one number after the
     * other}
     *
     * @param filters in the order of encoding, as those returned
     */
    static List<ArrayFilter> fuse(List<ArrayFilter> filters) {
        List<ArrayFilter> decoders = new ArrayList<>(); // in the order of decoding
        for (ArrayFilter filter : filters.reversed()) {
            Optional<FusedFilters> withLast =
                    !decoders.isEmpty() && decoders.getLast() instanceof FusedFilters last
                            ? last.then(filter)
                            : Optional.empty();
            if (withLast.isPresent()) {
                decoders.set(decoders.size() - 1, withLast.get());
            } else {
                decoders.add(alone(filter));
            }
        }
        return List.copyOf(decoders.reversed());
    }

    private static ArrayFilter alone(ArrayFilter filter) {
        return filter.steps()
                .flatMap(steps -> of(filter.name(), steps, filter.encodedBytes()))
                .<ArrayFilter>map(fused -> fused)
                .orElse(filter);
    }

    private static Optional<FusedFilters> of(String name, NumberSteps steps, long encodedBytes) {
        return StepLoop.of(steps).map(loop -> new FusedFilters(name, steps, loop, encodedBytes));
    }

    private Optional<FusedFilters> then(ArrayFilter filter) {
        return filter.steps()
                .flatMap(numbers::then)
                .flatMap(steps -> of(name, steps, encodedBytes));
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays) {
        loop.decode(encoded, decoded, encodedBytes / numbers.stored().byteSize(), arrays);
    }

    @Override
    public Optional<NumberSteps> steps() {
        return Optional.of(numbers);
    }
}
