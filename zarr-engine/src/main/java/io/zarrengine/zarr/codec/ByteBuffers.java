package io.zarrengine.zarr.codec;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Segments of any size as the buffers that the JDK's checksums and inflaters take. */
public final class ByteBuffers {
    /** A buffer has an int for its size; whole pages keep the loop's parts aligned. */
    public static final long PART_BYTES_MAX = 1L << 30;

    private ByteBuffers() {}

    /** {@return what is left of a segment behind {@code from}, or as much as a buffer holds} */
    public static ByteBuffer part(MemorySegment segment, long from) {
        long bytes = Math.min(segment.byteSize() - from, PART_BYTES_MAX);
        return segment.asSlice(from, bytes).asByteBuffer();
    }

    /** Feeds all of a segment to a checksum. */
    public static void update(java.util.zip.Checksum checksum, MemorySegment segment) {
        for (long from = 0; from < segment.byteSize(); from += PART_BYTES_MAX) {
            checksum.update(part(segment, from));
        }
    }
}
