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
 * Raw lz4 blocks in Java. It takes what machine code and liblz4 take and refuses what they refuse,
 * also where only the front of a block is wanted; a quarter as fast as aircompressor.
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
    private static final int MATCH_BEFORE = 12; // what lies behind the begin of the last match.

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

    /** One block. What must not be is an IndexOutOfBoundsException. */
    private static final class Block {
        private final MemorySegment in;
        private final LzOutput out;
        private long at;

        /** {@code end}: nothing is written behind it. */
        Block(MemorySegment in, MemorySegment decoded, long end) {
            this.in = in;
            this.out = new LzOutput(decoded, end);
        }

        long decode() {
            if (out.room() == 0) {
                require(in.byteSize() == 1 && unsigned(0) == 0); // As liblz4.
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

        /** Where liblz4 copies more than there are, and does not look what is left behind them. */
        private boolean isFarFromEnds(int literals) {
            return literals < LENGTH_MORE && in.byteSize() - at > 16 && out.room() >= 32;
        }

        /** Fills what there is room for; whatever follows is cut off, or not looked at. */
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
            if (distance == 0) { // The format forbids it; liblz4 takes it for zeros.
                out.zeros(length);
            } else {
                out.match(distance, length);
            }
        }

        /** With the bytes that continue it, behind which more than {@code behind} must be left. */
        private long length(int inToken, int behind) {
            long length = inToken;
            if (inToken == LENGTH_MORE) {
                int more;
                do {
                    require(in.byteSize() - at > behind);
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
