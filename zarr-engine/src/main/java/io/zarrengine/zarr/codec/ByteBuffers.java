package io.zarrengine.zarr.codec;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Converts segments of any size to the buffers that the JDK's checksums and inflaters take. */
public final class ByteBuffers {
    /** Limit because a buffer's size is an int; a whole number of pages keeps the parts aligned. */
    public static final long PART_BYTES_MAX = 1L << 30;

    private ByteBuffers() {}

    /** {@return the segment from {@code from} on, up to the largest size of a buffer} */
    public static ByteBuffer part(MemorySegment segment, long from) {
        long bytes = Math.min(segment.byteSize() - from, PART_BYTES_MAX);
        return segment.asSlice(from, bytes).asByteBuffer();
    }

    /** Updates a checksum with all of a segment. */
    public static void update(java.util.zip.Checksum checksum, MemorySegment segment) {
        for (long from = 0; from < segment.byteSize(); from += PART_BYTES_MAX) {
            checksum.update(part(segment, from));
        }
    }
}
