package io.zarrengine.zarr.decode;

import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.pipeline.VariableLengthElements;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.place.VariableLengthContent;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Copies the wanted elements of a chunk of variable length, and only those. */
final class VariableLengthPlacer {
    private final VariableLengthElements elements;
    private long bytes; // of what is wanted
    private long used; // of the room

    private VariableLengthPlacer(VariableLengthElements elements) {
        this.elements = elements;
    }

    /** Returns how many bytes were copied. */
    static long place(
            StridedBox box,
            VariableLengthElements elements,
            VariableLengthContent content,
            MemorySegment target,
            List<VariableLengthContent.Room> rooms) {
        VariableLengthPlacer placer = new VariableLengthPlacer(elements);
        box.forEach((sourceAt, targetAt) -> placer.bytes += placer.at(sourceAt).byteSize());
        VariableLengthContent.Room room = content.reserve(placer.bytes);
        rooms.add(room);
        box.forEach((sourceAt, targetAt) ->
                placer.used = room.add(placer.used, placer.at(sourceAt), target, targetAt));
        return placer.bytes;
    }

    private MemorySegment at(long sourceAt) {
        return elements.content(sourceAt / VariableLengthType.DESCRIPTOR_BYTES);
    }
}
