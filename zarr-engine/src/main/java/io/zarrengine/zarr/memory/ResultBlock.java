package io.zarrengine.zarr.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A block of memory that results take parts of, from its start on. Parts are never returned.
 * Threads: any.
 */
final class ResultBlock {
    private static final long PAGE_BYTES = 4096;

    private final long offset;
    private final MemorySegment memory;
    private final AtomicLong taken = new AtomicLong(); // in bytes

    /** Creates a block; {@code offset} is its offset in the memory that it comes from. */
    ResultBlock(long offset, MemorySegment memory) {
        this.offset = offset;
        this.memory = memory;
    }

    long offset() {
        return offset;
    }

    long byteSize() {
        return memory.byteSize();
    }

    /** {@return memory of {@code bytes} (positive), or null if the block has not enough left} */
    MemorySegment tryTake(long bytes) {
        long alignment = Math.min(BlockMemory.blockBytes(bytes), PAGE_BYTES);
        while (true) {
            long before = taken.get();
            long at = (before + alignment - 1) & -alignment;
            if (at > memory.byteSize() - bytes) {
                return null;
            }
            if (taken.compareAndSet(before, at + bytes)) {
                return memory.asSlice(at, bytes);
            }
        }
    }
}
