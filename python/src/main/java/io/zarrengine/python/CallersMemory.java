package io.zarrengine.python;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives parts of memory of Python's. Nothing comes back. Owner: Python, which keeps the memory
 * until the loader is closed and its batches are freed. Threads: one at a time.
 */
final class CallersMemory implements SegmentAllocator {
    private final List<MemorySegment> free = new ArrayList<>();
    private final long bytes; // of all

    /** Takes ranges: {@code {address, bytes, address, bytes...}}. */
    CallersMemory(long... ranges) {
        long sum = 0;
        for (int i = 0; i < ranges.length; i += 2) {
            free.add(NativeHandle.ofForeign(ranges[i], ranges[i + 1]));
            sum += ranges[i + 1];
        }
        bytes = sum;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        for (int i = 0; i < free.size(); i++) {
            MemorySegment range = free.get(i);
            long skipped = Math.floorMod(-range.address(), byteAlignment);
            if (skipped + byteSize <= range.byteSize()) {
                free.set(i, range.asSlice(skipped + byteSize));
                return range.asSlice(skipped, byteSize);
            }
        }
        throw OutOfMemoryException.ofResult(
                "a batch",
                byteSize,
                new IllegalStateException(
                        "the loader's memory of %d bytes must hold the batches that are read ahead,"
                                        .formatted(bytes)
                                + " the next one, and those in use"));
    }
}
