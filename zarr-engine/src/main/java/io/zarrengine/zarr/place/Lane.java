package io.zarrengine.zarr.place;

import java.lang.foreign.MemorySegment;

/**
 * Where things of one size lie in memory, at equal distances.
 *
 * @param memory native or heap
 * @param offset where the first one begins, in bytes
 * @param stride from one to the next, in bytes; may be negative
 */
record Lane(MemorySegment memory, long offset, long stride) {
    /** {@return this lane, {@code bytes} further} */
    Lane moved(long bytes) {
        return new Lane(memory, offset + bytes, stride);
    }
}
