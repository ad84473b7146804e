package io.zarrengine.zarr.filter;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Runs {@link NumberSteps} for many numbers at once, block by block. Immutable. */
sealed interface StepLoop permits Float32Steps, Float64Steps, IntegerSteps {
    /** {@return the fastest loop; empty if numbers must be decoded one by one} */
    static Optional<StepLoop> of(NumberSteps numbers) {
        if (Float32Steps.takes(numbers)) {
            return Optional.of(Float32Steps.of(numbers));
        }
        if (Float64Steps.takes(numbers)) {
            return Optional.of(new Float64Steps(numbers));
        }
        return IntegerSteps.takes(numbers)
                ? Optional.of(IntegerSteps.of(numbers))
                : Optional.empty();
    }

    /** Decodes a number of elements. */
    void decode(MemorySegment encoded, MemorySegment decoded, long elements, BlockArrays arrays);
}
