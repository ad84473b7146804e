package io.zarrengine.zarr.write;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory that grows at its end. Owner: one thread. */
final class GrowingMemory implements AutoCloseable {
    private static final long BYTES_MIN = 64 << 10;

    private Arena arena = Arena.ofConfined();
    private MemorySegment segment = arena.allocate(BYTES_MIN, Long.BYTES);
    private long size;

    /** {@return the number of bytes added} */
    long size() {
        return size;
    }

    /** {@return the bytes added; valid until the next {@link #reserve}} */
    MemorySegment content() {
        return segment.asSlice(0, size);
    }

    /**
     * {@return memory for {@code bytes} more bytes after the content; {@link #add} keeps part of
     * it}
     */
    MemorySegment reserve(long bytes) {
        if (segment.byteSize() - size < bytes) {
            Arena larger = Arena.ofConfined();
            MemorySegment copy =
                    larger.allocate(Math.max(2 * segment.byteSize(), size + bytes), Long.BYTES);
            MemorySegment.copy(segment, 0, copy, 0, size);
            arena.close();
            arena = larger;
            segment = copy;
        }
        return segment.asSlice(size, bytes);
    }

    /** Keeps the first {@code bytes} bytes of the last reservation. */
    void add(long bytes) {
        size += bytes;
    }

    void clear() {
        size = 0;
    }

    @Override
    public void close() {
        arena.close();
    }
}
