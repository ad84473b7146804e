package io.zarrengine.zarr.codec.stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/** Reads a segment as the input stream of Java decoders. Never fails. */
final class SegmentInputStream extends InputStream {
    private final MemorySegment segment;
    private long position;

    SegmentInputStream(MemorySegment segment) {
        this.segment = segment;
    }

    /** {@return whether the next bytes are these; consumes none} */
    boolean startsWith(byte... bytes) {
        MemorySegment wanted = MemorySegment.ofArray(bytes);
        return available() >= bytes.length
                && segment.asSlice(position, bytes.length).mismatch(wanted) < 0;
    }

    @Override
    public int available() {
        return (int) Math.min(segment.byteSize() - position, Integer.MAX_VALUE);
    }

    @Override
    public int read() {
        if (position == segment.byteSize()) {
            return -1;
        }
        return Byte.toUnsignedInt(segment.get(JAVA_BYTE, position++));
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        int bytes = Math.min(length, available());
        if (bytes == 0) {
            return -1;
        }
        MemorySegment.copy(segment, JAVA_BYTE, position, target, offset, bytes);
        position += bytes;
        return bytes;
    }
}
