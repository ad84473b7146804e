package io.zarrengine.zarr.memory;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Memory that results take from its front on, and never give back. Threads: any. */
final class ResultBlock {
    private static final long PAGE_BYTES = 4096;

    private final long offset;
    private final MemorySegment memory;
    private final AtomicLong taken = new AtomicLong(); // bytes

    /** {@code offset}: where it begins in the memory that it is of. */
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

    /** {@return memory of a size above 0, or null if so much is not left} */
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
