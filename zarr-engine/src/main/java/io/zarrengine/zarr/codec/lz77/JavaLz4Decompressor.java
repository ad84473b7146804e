package io.zarrengine.zarr.codec.lz77;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Decodes raw lz4 blocks in Java. It accepts and refuses the same input as machine code and liblz4,
 * also if only the front of a block is wanted. A quarter as fast as aircompressor.
 *
 * @see <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 block format</a>
 */
public final class JavaLz4Decompressor implements Decompressor {
    private static final String NAME = Liblz4Decompressor.NAME;

    private static final ValueLayout.OfShort LE_SHORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int LENGTH_MORE = 15;
    private static final int MATCH_MIN = 4;
    private static final int LAST_LITERALS = 5; // End of block conditions: the last bytes, and
    private static final int MATCH_BEFORE = 12; // the bytes after the begin of the last match.

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        try {
            return new Block(encoded, decoded, decoded.byteSize()).decode();
        } catch (IndexOutOfBoundsException e) {
            throw Lz4Block.decodesToMoreThan(decoded.byteSize(), encoded)
                    ? new TargetTooSmallException(NAME, decoded.byteSize())
                    : new CodecException(NAME, "damaged: it cannot be decoded", e);
        }
    }

    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        if (bytes == decoded.byteSize()) {
            return -1;
        }
        try {
            return new Block(encoded, decoded, bytes).decodeFront();
        } catch (IndexOutOfBoundsException e) {
            return -1;
        }
    }

    @Override
    public void close() {}

    /** One block. Invalid input causes an IndexOutOfBoundsException. */
    private static final class Block {
        private final MemorySegment in;
        private final LzOutput out;
        private long at;

        /** {@code end} is the end of the output. */
        Block(MemorySegment in, MemorySegment decoded, long end) {
            this.in = in;
            this.out = new LzOutput(decoded, end);
        }

        long decode() {
            if (out.room() == 0) {
                require(in.byteSize() == 1 && unsigned(0) == 0); // as liblz4
                return 0;
            }
            while (true) {
                int token = unsigned(at++);
                boolean isFarFromEnds = isFarFromEnds(token >> 4);
                long literals = length(token >> 4, LENGTH_MORE);
                out.literals(in, at, literals);
                at += literals;
                if (at == in.byteSize()) {
                    return out.written();
                }
                boolean mayFollow =
                        in.byteSize() - at >= 3 + LAST_LITERALS && out.room() >= MATCH_BEFORE;
                require(isFarFromEnds || mayFollow);
                int distance = distance();
                long match = length(token & LENGTH_MORE, LAST_LITERALS - 1) + MATCH_MIN;
                require(match <= out.room() - LAST_LITERALS);
                match(distance, match);
            }
        }

        /**
         * Returns whether liblz4 would copy more literals than there are, without the end of block
         * checks.
         */
        private boolean isFarFromEnds(int literals) {
            return literals < LENGTH_MORE && in.byteSize() - at > 16 && out.room() >= 32;
        }

        /** Fills the room of the output. Cuts off or ignores the rest. */
        long decodeFront() {
            while (out.room() > 0) {
                int token = unsigned(at++);
                long literals = length(token >> 4, LENGTH_MORE);
                long copied = Math.min(Math.min(literals, in.byteSize() - at), out.room());
                out.literals(in, at, copied);
                at += copied;
                if (out.room() > 0) {
                    require(in.byteSize() - at > Short.BYTES);
                    int distance = distance();
                    long match = length(token & LENGTH_MORE, LAST_LITERALS - 1) + MATCH_MIN;
                    match(distance, Math.min(match, out.room()));
                }
            }
            return out.written();
        }

        private int distance() {
            int distance = Short.toUnsignedInt(in.get(LE_SHORT, at));
            at += Short.BYTES;
            return distance;
        }

        private void match(int distance, long length) {
            if (distance == 0) { // The format forbids it; liblz4 writes zeros.
                out.zeros(length);
            } else {
                out.match(distance, length);
            }
        }

        /** Reads a length with its further bytes. More than {@code after} bytes must follow. */
        private long length(int inToken, int after) {
            long length = inToken;
            if (inToken == LENGTH_MORE) {
                int more;
                do {
                    require(in.byteSize() - at > after);
                    more = unsigned(at++);
                    length += more;
                } while (more == 255);
            }
            return length;
        }

        private int unsigned(long index) {
            return Byte.toUnsignedInt(in.get(JAVA_BYTE, index));
        }

        private void require(boolean condition) {
            if (!condition) {
                throw new IndexOutOfBoundsException("near byte " + at);
            }
        }
    }
}
