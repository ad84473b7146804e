package io.zarrengine.zarr.device;

import io.zarrengine.cuda.PinnedRing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A pinned slot and the chunks in it. Owner: a lane, then the device's thread. */
final class SlotFill {
    private final PinnedRing.Slot slot;
    private final BatchLoad load;
    private final List<DeviceChunk> chunks = new ArrayList<>();
    private long used; // bytes

    SlotFill(PinnedRing.Slot slot, BatchLoad load) {
        this.slot = slot;
        this.load = load;
    }

    PinnedRing.Slot slot() {
        return slot;
    }

    BatchLoad load() {
        return load;
    }

    List<DeviceChunk> chunks() {
        return chunks;
    }

    /** {@return what was written} */
    MemorySegment content() {
        return slot.segment().asSlice(0, used);
    }

    /**
     * Adds a chunk, unless there is no room.
     *
     * @param bytes what to copy
     * @param shift bytes beyond an aligned place that the copy begins at
     */
    boolean tryAdd(
            MemorySegment bytes, long shift, Function<DeviceChunk.Extent, DeviceChunk> chunk) {
        long at = bytes.byteSize() == 0 ? used : BatchLoad.aligned(used) + shift;
        if (at + bytes.byteSize() > slot.segment().byteSize()) {
            return false;
        }
        DeviceChunk added = chunk.apply(new DeviceChunk.Extent(at, bytes.byteSize()));
        if (!load.tryAdd(added)) {
            return false;
        }
        MemorySegment.copy(bytes, 0, slot.segment(), at, bytes.byteSize());
        used = at + bytes.byteSize();
        chunks.add(added);
        return true;
    }
}
