package io.zarrengine.bindings.machinecode;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Handmade frames of one block that no encoder makes.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1">RFC 8878, 3.1.1 Zstandard
 *     Frames</a>
 */
final class CraftedZstd {
    private static final int WINDOW_AND_4_BYTES_OF_SIZE = 0x80;

    /** The largest that a block may fill. Some releases of libzstd refuse larger blocks. */
    static final byte WINDOW_OF_128_KIB = 0x38;

    private static final int LAST_COMPRESSED_BLOCK = 0b101;
    private static final int RAW_LITERALS_OF_20_BITS = 0b1100;
    private static final int FOUR_STREAMS_OF_18_BITS = 0b1110;
    private static final int ONE_STREAM = 0b0010;
    private static final int TREELESS = 0b0011;
    private static final int END_MARK = 1;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    static byte[] frame(int contentBytes, CraftedZstd content) {
        var frame = new CraftedZstd();
        frame.littleEndian(0xFD2FB528L, 4);
        frame.littleEndian(WINDOW_AND_4_BYTES_OF_SIZE, 1);
        frame.littleEndian(WINDOW_OF_128_KIB, 1);
        frame.littleEndian(contentBytes, 4);
        frame.littleEndian((long) content.bytes.size() << 3 | LAST_COMPRESSED_BLOCK, 3);
        frame.bytes.writeBytes(content.bytes.toByteArray());
        return frame.bytes.toByteArray();
    }

    CraftedZstd littleEndian(long value, int count) {
        for (int k = 0; k < count; k++) {
            bytes.write((int) (value >>> (Byte.SIZE * k)));
        }
        return this;
    }

    /** Adds uncompressed literals. */
    CraftedZstd rawLiterals(int count) {
        littleEndian((long) count << 4 | RAW_LITERALS_OF_20_BITS, 3);
        for (int k = 0; k < count; k++) {
            bytes.write(k);
        }
        return this;
    }

    /**
     * Adds four streams in which all bits are 0: the first of two codes of 11 bits, repeated, which
     * is symbol 10. Symbols 0 to 9 have codes of 1 to 10 bits.
     */
    CraftedZstd longestCodes(int symbols, int streamBytes) {
        int tree = 1 + 6;
        int encoded = tree + 6 + 4 * (streamBytes + 1);
        littleEndian((long) encoded << 22 | (long) symbols << 4 | FOUR_STREAMS_OF_18_BITS, 5);
        littleEndian(127 + 11, 1); // 11 weights of 4 bits each; symbol 11's follows from them
        for (int weight = 11; weight > 0; weight -= 2) {
            littleEndian((long) weight << 4 | weight - 1, 1);
        }
        for (int k = 0; k < 3; k++) {
            littleEndian(streamBytes + 1L, 2);
        }
        for (int k = 0; k < 4; k++) {
            bytes.writeBytes(new byte[streamBytes]);
            bytes.write(END_MARK);
        }
        return this;
    }

    /** Adds one stream of the first symbol, with given weights. */
    CraftedZstd oneStream(int symbols, int bits, int... weights) {
        int tree = 1 + (weights.length + 1) / 2;
        int streamBytes = symbols * bits / Byte.SIZE + 1;
        littleEndian((long) (tree + streamBytes) << 14 | (long) symbols << 4 | ONE_STREAM, 3);
        littleEndian(127L + weights.length, 1);
        int[] padded = Arrays.copyOf(weights, weights.length + 1);
        for (int k = 0; k < weights.length; k += 2) {
            littleEndian((long) padded[k] << 4 | padded[k + 1], 1);
        }
        bytes.writeBytes(new byte[streamBytes - 1]);
        littleEndian(1L << symbols * bits % Byte.SIZE, 1);
        return this;
    }

    /** Adds one stream coded by the tree of the previous block. */
    CraftedZstd treelessStream(int symbols, int streamBytes) {
        littleEndian((long) (streamBytes + 1) << 14 | (long) symbols << 4 | TREELESS, 3);
        return bits(streamBytes, 0);
    }

    /** Adds equal sequences, whose states therefore take no bits. */
    CraftedZstd equalSequences(int count, int literalsCode, int offsetCode, int matchCode) {
        sequences(count, 0b0101_0100);
        return littleEndian(literalsCode | offsetCode << 8 | (long) matchCode << 16, 3);
    }

    /** Adds the number of sequences, and the modes of their tables. */
    CraftedZstd sequences(int count, int modes) {
        littleEndian(128 + (count >> 8) | (long) (count & 0xff) << 8, 2);
        return littleEndian(modes, 1);
    }

    /** Adds a bitstream of equal bytes with its end mark. */
    CraftedZstd bits(int count, int value) {
        byte[] stream = new byte[count];
        Arrays.fill(stream, (byte) value);
        bytes.writeBytes(stream);
        return littleEndian(END_MARK, 1);
    }
}
