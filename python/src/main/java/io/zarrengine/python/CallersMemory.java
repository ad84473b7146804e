package io.zarrengine.python;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives parts of memory of Python's. Nothing comes back. Owner: Python, which keeps the memory
 * until the loader is closed and its batches are freed. Threads: one at a time.
 */
final class CallersMemory implements SegmentAllocator {
    /** That of NumPy's memory, and of the largest elements. */
    private static final long ALIGNMENT_LEAST = 16;

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

    /**
     * Keeps to the alignment if there is room for that, so that an array of NumPy's holds a batch
     * of its size.
     */
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return find(byteSize, byteAlignment)
                .or(() -> find(byteSize, Math.min(byteAlignment, ALIGNMENT_LEAST)))
                .orElseThrow(() -> refusal(byteSize));
    }

    private Optional<MemorySegment> find(long byteSize, long byteAlignment) {
        for (int i = 0; i < free.size(); i++) {
            MemorySegment range = free.get(i);
            long skipped = Math.floorMod(-range.address(), byteAlignment);
            if (skipped + byteSize <= range.byteSize()) {
                free.set(i, range.asSlice(skipped + byteSize));
                return Optional.of(range.asSlice(skipped, byteSize));
            }
        }
        return Optional.empty();
    }

    private OutOfMemoryException refusal(long byteSize) {
        return OutOfMemoryException.ofResult(
                "a batch",
                byteSize,
                new IllegalStateException(
                        "the loader's memory of %d bytes must hold the batches that are read ahead,"
                                        .formatted(bytes)
                                + " the next one, and those in use"));
    }
}
