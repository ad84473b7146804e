package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.place.VariableLengthContent;
import io.zarrengine.zarr.sink.ChunkSink;
import java.lang.foreign.MemorySegment;

/**
 * Where the elements of a request go.
 *
 * @param target for elements, or for the descriptors of elements of variable length; accessible
 *     from all threads
 * @param fillElement one element, in native byte order; of variable length, its descriptor
 * @param fillsMissing whether that stands where a chunk was never written, which is an error
 *     otherwise
 * @param variableLengthContent where the bytes of elements of variable length go; null if they have
 *     a fixed size
 * @param sink takes the chunks instead; null if the elements go to the target
 * @param recorded what a recording says of the request; null if nobody records it
 */
public record Placement(
        MemorySegment target,
        MemorySegment fillElement,
        boolean fillsMissing,
        VariableLengthContent variableLengthContent,
        ChunkSink sink,
        RecordedRead recorded) {
    /**
     * {@return the place of the inside of a chunk that has to be decoded as a whole}
     *
     * @param inside memory for all of it
     * @param fill one element of it, in native byte order; not used if they have no fixed size
     */
    Placement into(MemorySegment inside, MemorySegment fill) {
        MemorySegment element = variableLengthContent == null ? fill : fillElement;
        return new Placement(inside, element, fillsMissing, variableLengthContent, null, null);
    }
}
