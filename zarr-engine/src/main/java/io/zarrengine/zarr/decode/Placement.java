package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.place.VariableLengthContent;
import io.zarrengine.zarr.sink.ChunkSink;
import java.lang.foreign.MemorySegment;

/**
 * The destination of a request's elements.
 *
 * @param target for elements, or for the descriptors of elements of variable length; accessible
 *     from all threads
 * @param fillElement one element, in native byte order; its descriptor if the length is variable
 * @param fillsMissing whether a missing chunk is filled with {@code fillElement}; otherwise it is
 *     an error
 * @param variableLengthContent for the bytes of elements of variable length; null if the elements
 *     have a fixed size
 * @param sink takes the chunks in place of the target; null if the elements go to the target
 * @param recorded the request's record for a recording; null if it is not recorded
 */
public record Placement(
        MemorySegment target,
        MemorySegment fillElement,
        boolean fillsMissing,
        VariableLengthContent variableLengthContent,
        ChunkSink sink,
        RecordedRead recorded) {
    /**
     * {@return the placement of the stored form of a chunk that must be decoded as a whole}
     *
     * @param inside memory for all of the stored form
     * @param fill one element of it, in native byte order; not used for elements of variable length
     */
    Placement into(MemorySegment inside, MemorySegment fill) {
        MemorySegment element = variableLengthContent == null ? fill : fillElement;
        return new Placement(inside, element, fillsMissing, variableLengthContent, null, null);
    }
}
