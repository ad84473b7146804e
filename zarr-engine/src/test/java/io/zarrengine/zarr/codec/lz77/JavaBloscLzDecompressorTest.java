package io.zarrengine.zarr.codec.lz77;

import static io.zarrengine.zarr.codec.DecompressorTests.assertDecodes;
import static io.zarrengine.zarr.codec.DecompressorTests.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.codec.DecompressorTests;
import io.zarrengine.zarr.errors.CodecException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * BloscLZ decoding equals the output of an encoder that writes random literals and matches, and the
 * bytes that they stand for.
 */
final class JavaBloscLzDecompressorTest {
    private final JavaBloscLzDecompressor decompressor = new JavaBloscLzDecompressor();

    /** Writes tokens, and decodes them byte by byte: the slow twin. */
    private static final class Tokens {
        final ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        private byte[] decoded = new byte[1 << 18];
        private int size;

        void literals(SplittableRandom random, int count) {
            encoded.write(count - 1);
            for (int i = 0; i < count; i++) {
                byte literal = (byte) random.nextInt(256);
                encoded.write(literal);
                add(literal);
            }
        }

        void match(int length, int distance) {
            int rest = length - 2;
            int field = Math.min(rest, 7);
            int back = distance - 1;
            boolean far = back >= 8191;
            encoded.write((field << 5) | (far ? 31 : back >> 8));
            if (field == 7) {
                for (rest -= 7; rest >= 255; rest -= 255) {
                    encoded.write(255);
                }
                encoded.write(rest);
            }
            encoded.write(far ? 255 : back & 255);
            if (far) {
                encoded.write((back - 8191) >> 8);
                encoded.write((back - 8191) & 255);
            }
            for (int i = 0; i < length; i++) {
                add(decoded[size - distance]);
            }
        }

        private void add(byte value) {
            if (size == decoded.length) {
                decoded = Arrays.copyOf(decoded, 2 * size);
            }
            decoded[size++] = value;
        }

        byte[] decoded() {
            return Arrays.copyOf(decoded, size);
        }
    }

    private static Tokens random(SplittableRandom random, int bytes) {
        Tokens tokens = new Tokens();
        tokens.literals(random, 1 + random.nextInt(32));
        while (tokens.size < bytes) {
            int most = Math.min(tokens.size, 8191 + 65536);
            switch (random.nextInt(4)) {
                case 0 -> tokens.literals(random, 1 + random.nextInt(32));
                case 1 -> tokens.match(3 + random.nextInt(9), 1 + random.nextInt(most));
                case 2 -> tokens.match(3 + random.nextInt(700), 1 + random.nextInt(most));
                default ->
                        tokens.match(3 + random.nextInt(40), 1 + random.nextInt(Math.min(most, 9)));
            }
        }
        return tokens;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesAsASlowTwinDoes(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 80; round++) {
            int bytes = round % 40 == 0 ? 200_000 : random.nextInt(3000);
            Tokens tokens = random(random, bytes);
            assertDecodes(tokens.decoded(), decompressor, tokens.encoded.toByteArray());
        }
    }

    /** Lengths and distances at which their encoding changes. */
    @ParameterizedTest
    @CsvSource({
        "3, 1",
        "8, 1",
        "9, 1",
        "10, 1",
        "263, 1",
        "264, 1",
        "265, 1",
        "518, 1",
        "519, 1",
        "520, 1",
        "3, 2",
        "4, 3",
        "5, 5",
        "6, 5",
        "9, 256",
        "9, 257",
        "9, 8190",
        "9, 8191",
        "9, 8192",
        "9, 8193",
        "9, 8447",
        "9, 8448",
        "9, 73726",
        "300, 73726",
        "9, 73727",
    })
    void decodesBoundaryLengthsAndDistances(int length, int distance) throws CodecException {
        SplittableRandom random = new SplittableRandom(9);
        Tokens tokens = new Tokens();
        while (tokens.size < distance) {
            tokens.literals(random, 32);
        }
        tokens.match(length, distance);
        tokens.literals(random, 1);
        assertDecodes(tokens.decoded(), decompressor, tokens.encoded.toByteArray());
    }

    /** A stream begins with literals, whatever the high bits of its first byte are. */
    @Test
    void decodesTheFirstControlByteAsLiterals() throws CodecException {
        assertDecodes(new byte[] {7, 8}, decompressor, new byte[] {(byte) 0xe1, 7, 8});
        assertDecodes(new byte[0], decompressor, new byte[0]);
    }

    @Test
    void refusesATruncationOrDecodesAPrefix() {
        Tokens tokens = random(new SplittableRandom(10), 2000);
        byte[] expected = tokens.decoded();
        byte[] encoded = tokens.encoded.toByteArray();
        int shorter = 0;
        for (int bytes = 0; bytes < encoded.length; bytes++) {
            try {
                byte[] decoded =
                        DecompressorTests.decode(
                                decompressor, Arrays.copyOf(encoded, bytes), expected.length);
                assertArrayEquals(Arrays.copyOf(expected, decoded.length), decoded);
                shorter++;
            } catch (CodecException e) {
                assertEquals(
                        "blosclz: damaged, or longer than " + expected.length + " bytes",
                        e.getMessage());
            }
        }
        assertTrue(shorter > 10 && shorter < encoded.length / 2, shorter + " were not refused");
    }

    @Test
    void refusesAMatchThatBeginsBeforeTheBlock() {
        byte[] near = {0, 7, 0x20, 1};
        byte[] far = {0, 7, 0x3f, (byte) 255, 0, 0};
        assertRefused("damaged, or longer than 100 bytes", decompressor, near, 100);
        assertRefused("damaged, or longer than 100 bytes", decompressor, far, 100);
    }

    @Test
    void refusesMoreThanTheTargetHolds() {
        byte[] literals = {3, 1, 2, 3, 4};
        byte[] match = {0, 7, 0x20, 0}; // one literal, and three copies of it
        byte[] longMatch = {0, 7, (byte) 0xe0, (byte) 255, (byte) 255, 0, 0};
        assertRefused("longer than 3 bytes", decompressor, literals, 3);
        assertRefused("longer than 3 bytes", decompressor, match, 3);
        assertRefused("longer than 500 bytes", decompressor, longMatch, 500);
        assertRefused("longer than 0 bytes", decompressor, literals, 0);
    }

    /** Lengths that overflow an int: one becomes negative, one becomes a valid length. */
    @Test
    void refusesALengthBeyondAnInt() {
        byte[] wrapped = new byte[16_843_009 + 5];
        Arrays.fill(wrapped, (byte) 255);
        wrapped[0] = 0;
        wrapped[2] = (byte) 0xe0;
        wrapped[wrapped.length - 2] = 3;
        wrapped[wrapped.length - 1] = 0;
        assertRefused("longer than 100 bytes", decompressor, wrapped, 100);
        byte[] encoded = new byte[9_000_000];
        Arrays.fill(encoded, (byte) 255);
        encoded[0] = 0;
        encoded[2] = (byte) 0xe0;
        encoded[encoded.length - 2] = 0;
        encoded[encoded.length - 1] = 0;
        assertRefused("longer than 100 bytes", decompressor, encoded, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void damageNeverWritesOutsideTheTarget(long seed) {
        Tokens tokens = random(new SplittableRandom(seed), 2000);
        DecompressorTests.assertSurvivesDamage(
                seed, decompressor, tokens.encoded.toByteArray(), tokens.size, 2000);
    }
}
