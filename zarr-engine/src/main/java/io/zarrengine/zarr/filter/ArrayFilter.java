package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * One decoding step from the stored elements to the wanted elements, for chunks of one shape and
 * type. Immutable.
 */
public interface ArrayFilter {
    /** {@return the name in metadata} */
    String name();

    /** {@return the size of an encoded chunk, in bytes} */
    long encodedBytes();

    /**
     * Decodes a chunk. Elements are in native byte order on both sides, unless a filter documents
     * another order.
     *
     * @param encoded {@link #encodedBytes} bytes, at any address; not modified
     * @param decoded gets the elements: exactly their size, at any address, does not overlap {@code
     *     encoded}
     * @param arrays of the calling thread
     * @throws CodecException if the chunk is not valid
     */
    void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
            throws CodecException;

    /**
     * {@return whether memory may hold the elements as they are stored, because decoding changes no
     * value but only unused bits}
     */
    default boolean keepsValues() {
        return false;
    }

    /** {@return the filter as steps on each number by itself; empty if it does more} */
    default Optional<NumberSteps> steps() {
        return Optional.empty();
    }
}
