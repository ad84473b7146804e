package io.zarrengine.bindings.machinecode;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Handmade literals and matches of any lengths, and their decoded bytes. */
abstract sealed class CraftedLz77 {
    private static final int BYTE_MORE = 255;

    final SplittableRandom random;
    final ByteArrayOutputStream tokens = new ByteArrayOutputStream();
    private byte[] decoded = new byte[1 << 12];
    private int size;

    private CraftedLz77(SplittableRandom random) {
        this.random = random;
    }

    byte[] encoded() {
        return tokens.toByteArray();
    }

    byte[] decoded() {
        return Arrays.copyOf(decoded, size);
    }

    int decodedBytes() {
        return size;
    }

    CraftedLz77 literals(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        putLiterals(bytes);
        for (byte literal : bytes) {
            add(literal);
        }
        return this;
    }

    /** Adds a match, even if its offset leads before the front. */
    CraftedLz77 match(int offset, int length) {
        putMatch(offset, length);
        if (offset > 0 && offset <= size) {
            for (int k = 0; k < length; k++) {
                add(decoded[size - offset]);
            }
        }
        return this;
    }

    private void add(byte value) {
        if (size == decoded.length) {
            decoded = Arrays.copyOf(decoded, 2 * size);
        }
        decoded[size++] = value;
    }

    abstract void putLiterals(byte... bytes);

    abstract void putMatch(int offset, int length);

    abstract int matchMin();

    /**
     * A stream of BloscLZ.
     *
     * @see <a href="https://github.com/Blosc/c-blosc">c-blosc</a>, blosclz
     */
    static final class Blosclz extends CraftedLz77 {
        private static final int LITERALS_MAX = 32;
        private static final int OFFSET_FAR = 8192;

        Blosclz(SplittableRandom random) {
            super(random);
        }

        @Override
        void putLiterals(byte... bytes) {
            for (int at = 0; at < bytes.length; at += LITERALS_MAX) {
                int count = Math.min(LITERALS_MAX, bytes.length - at);
                int anything = tokens.size() == 0 ? random.nextInt(8) << 5 : 0; // the first token
                tokens.write(anything | (count - 1));
                tokens.write(bytes, at, count);
            }
        }

        @Override
        void putMatch(int offset, int length) {
            int field = Math.min(length - 2, 7);
            int back = Math.min(offset, OFFSET_FAR) - 1;
            tokens.write((field << 5) | (back >> 8));
            if (field == 7) {
                int more = length - 9;
                for (; more >= BYTE_MORE; more -= BYTE_MORE) {
                    tokens.write(BYTE_MORE);
                }
                tokens.write(more);
            }
            tokens.write(back);
            if (offset >= OFFSET_FAR) {
                tokens.write((offset - OFFSET_FAR) >> 8);
                tokens.write(offset - OFFSET_FAR);
            }
        }

        @Override
        int matchMin() {
            return 3;
        }
    }

    /**
     * A block of Snappy.
     *
     * @see <a href="https://github.com/google/snappy/blob/main/format_description.txt">Snappy</a>
     */
    static final class Snappy extends CraftedLz77 {
        private static final int LENGTH_INSIDE_MAX = 60;
        private static final int MATCH_MAX = 64;

        Snappy(SplittableRandom random) {
            super(random);
        }

        @Override
        byte[] encoded() {
            var block = new ByteArrayOutputStream();
            int left = decodedBytes();
            for (; left >= 128; left >>= 7) {
                block.write(left | 128);
            }
            block.write(left);
            block.writeBytes(tokens.toByteArray());
            return block.toByteArray();
        }

        /** Writes literals. Their length may take more bytes than necessary. */
        @Override
        void putLiterals(byte... bytes) {
            int more = bytes.length - 1;
            int needed = more < LENGTH_INSIDE_MAX ? 0 : more < 1 << 8 ? 1 : more < 1 << 16 ? 2 : 3;
            int lengthBytes = random.nextInt(8) == 0 ? random.nextInt(needed, 5) : needed;
            tokens.write((lengthBytes == 0 ? more : LENGTH_INSIDE_MAX + lengthBytes - 1) << 2);
            for (int k = 0; k < lengthBytes; k++) {
                tokens.write(more >> (8 * k));
            }
            tokens.writeBytes(bytes);
        }

        /** Writes a match, its offset in any of the possible forms. */
        @Override
        void putMatch(int offset, int length) {
            for (int left = length; left > 0; left -= MATCH_MAX) {
                int part = Math.min(left, MATCH_MAX);
                int kind = random.nextInt(offset >= 1 << 16 ? 3 : 1, 4);
                if (kind == 1 && (offset >= 1 << 11 || part < 4 || part > 11)) {
                    kind = 2;
                }
                if (kind == 1) {
                    tokens.write(((offset >> 8) << 5) | ((part - 4) << 2) | kind);
                    tokens.write(offset);
                } else {
                    tokens.write(((part - 1) << 2) | kind);
                    for (int k = 0; k < 2 * (kind - 1); k++) {
                        tokens.write(offset >> (8 * k));
                    }
                }
            }
        }

        @Override
        int matchMin() {
            return 1;
        }
    }
}
