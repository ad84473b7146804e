package io.zarrengine.zarr.filter;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Consecutive filters that treat each number by itself, decoded in one pass.
 *
 * @param name of the last filter, which encoded the stored elements
 * @param numbers the steps of all filters
 * @param loop runs the steps
 * @param encodedBytes size of an encoded chunk, in bytes
 */
record FusedFilters(String name, NumberSteps numbers, StepLoop loop, long encodedBytes)
        implements ArrayFilter {
    /**
     * {@return filters with the same effect in fewer passes, and faster than number by number}
     *
     * @param filters in the order of encoding; so is the result
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
