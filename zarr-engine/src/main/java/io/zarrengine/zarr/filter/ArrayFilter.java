package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * One step from the elements that are stored to those that are wanted, for chunks of one shape and
 * type. Immutable.
 */
public interface ArrayFilter {
    /** {@return the name in metadata} */
    String name();

    /** {@return the size of the encoded form of a chunk, in bytes} */
    long encodedBytes();

    /**
     * Decodes a chunk. Elements are in native byte order on both sides, if no filter says
     * otherwise.
     *
     * @param encoded {@link #encodedBytes} bytes, at any address; not modified
     * @param decoded where the elements go: exactly as large as they are, at any address, apart
     *     from {@code encoded}
     * @param arrays of the calling thread
     * @throws CodecException if it is not valid
     */
    void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
            throws CodecException;

    /**
     * {@return whether elements may be stored as they are in memory: decoding changes no value,
     * only bits that mean nothing}
     */
    default boolean keepsValues() {
        return false;
    }

    /** {@return the same as steps on each number by itself; empty if it is more than that} */
    default Optional<NumberSteps> steps() {
        return Optional.empty();
    }
}
