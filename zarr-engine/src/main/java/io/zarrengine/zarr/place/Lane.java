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
    /**
     * {@return the same as a lane of nothing else} The compiler then sees the bounds of a loop more
     * easily. A lane with a negative stride stays as it is.
     *
     * @param things how many, at least 1
     * @param bytes size of each
     */
    Lane alone(long things, long bytes) {
        return stride < 0
                ? this
                : new Lane(memory.asSlice(offset, (things - 1) * stride + bytes), 0, stride);
    }

    /** {@return this lane, {@code bytes} further} */
    Lane moved(long bytes) {
        return new Lane(memory, offset + bytes, stride);
    }
}
