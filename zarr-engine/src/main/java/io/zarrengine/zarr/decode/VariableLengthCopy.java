package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.pipeline.VariableLengthElements;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.place.VariableLengthContent;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Copies the wanted elements of a chunk of variable length. */
final class VariableLengthCopy {
    private final VariableLengthElements elements;
    private long bytes; // of the wanted elements
    private long used; // bytes of the room

    private VariableLengthCopy(VariableLengthElements elements) {
        this.elements = elements;
    }

    /** Returns the number of bytes copied. */
    static long run(
            StridedBox box,
            VariableLengthElements elements,
            VariableLengthContent content,
            MemorySegment target,
            List<VariableLengthContent.Room> rooms) {
        VariableLengthCopy copy = new VariableLengthCopy(elements);
        box.forEach((sourceAt, targetAt) -> copy.bytes += copy.at(sourceAt).byteSize());
        VariableLengthContent.Room room = content.reserve(copy.bytes);
        rooms.add(room);
        box.forEach((sourceAt, targetAt) ->
                copy.used = room.add(copy.used, copy.at(sourceAt), target, targetAt));
        return copy.bytes;
    }

    private MemorySegment at(long sourceAt) {
        return elements.content(sourceAt / VariableLengthType.DESCRIPTOR_BYTES);
    }
}
