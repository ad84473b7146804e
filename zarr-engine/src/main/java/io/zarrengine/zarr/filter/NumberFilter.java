package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A filter that treats each number by itself. */
interface NumberFilter extends ArrayFilter {
    /** {@return how many numbers a chunk has} */
    long elements();

    /** Decodes a chunk slowly and plainly, whatever the types are. */
    void decodeOneByOne(MemorySegment encoded, MemorySegment decoded) throws CodecException;

    @Override
    default void decode(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        Optional<NumberSteps> numbers = steps();
        if (!Float32Steps.decode(numbers, encoded, decoded, elements())
                && !Float64Steps.decode(numbers, encoded, decoded, elements())
                && !IntegerSteps.decode(numbers, encoded, decoded, elements())) {
            decodeOneByOne(encoded, decoded);
        }
    }
}
