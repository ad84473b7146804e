package io.zarrengine.zarr.codec.lz77;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.bindings.frames.SnappyHeader;
import io.zarrengine.bindings.frames.StableBytes;
import java.lang.foreign.MemorySegment;

/**
 * Decodes Snappy in Java. It accepts and refuses the same input as machine code, also if only the
 * front of a block is wanted. Slower than aircompressor.
 *
 * @see <a href="https://github.com/google/snappy/blob/main/format_description.txt">Snappy, format
 *     description</a>
 */
public final class JavaSnappyDecompressor extends JavaLz77Decompressor {
    static final String NAME = "snappy";

    private static final int KINDS = 4;
    private static final int LITERALS = 0;
    private static final int NEAR_MATCH = 1; // with a distance of 11 bits
    private static final int LENGTH_INSIDE_MAX = 60;
    private static final int NEAR_MATCH_MIN = 4;

    /** Creates a decoder. */
    public JavaSnappyDecompressor() {
        super(NAME);
    }

    @Override
    long decode(MemorySegment in, MemorySegment decoded, long wanted) {
        SnappyHeader header = SnappyHeader.read(new StableBytes(in));
        long size = header.contentBytes();
        if (size < 0 || size > decoded.byteSize()) {
            throw new IndexOutOfBoundsException("says that it has " + size + " bytes");
        }
        long at = header.bytes();
        LzOutput out = new LzOutput(decoded, size);
        while (at < in.byteSize() && out.written() < wanted) {
            int tag = unsigned(in, at++);
            int kind = tag % KINDS;
            long length = tag / KINDS + 1L;
            if (kind == LITERALS) {
                if (length > LENGTH_INSIDE_MAX) {
                    int bytes = (int) length - LENGTH_INSIDE_MAX;
                    length = number(in, at, bytes) + 1;
                    at += bytes;
                }
                out.literals(in, at, length);
                at += length;
            } else {
                int bytes = 1 << (kind - 1);
                long distance = number(in, at, bytes);
                at += bytes;
                if (kind == NEAR_MATCH) {
                    distance |= (long) (tag >> 5) << 8;
                    length = NEAR_MATCH_MIN + (long) (tag >> 2 & 7);
                }
                out.match(distance, length);
            }
        }
        if (out.written() < Math.min(wanted, size)) {
            throw new IndexOutOfBoundsException("ends after " + out.written() + " bytes");
        }
        return out.written();
    }

    private static long number(MemorySegment in, long at, int bytes) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= (long) unsigned(in, at + i) << (i * Byte.SIZE);
        }
        return number;
    }

    private static int unsigned(MemorySegment in, long at) {
        return Byte.toUnsignedInt(in.get(JAVA_BYTE, at));
    }
}
