package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Assertions that the tests of all decompressors share. */
public final class DecompressorTests {
    private static final String DECODED = "decoded to ";

    private DecompressorTests() {}

    /** Decodes to a target of {@code targetBytes}, between guards. */
    public static byte[] decode(Decompressor decompressor, byte[] encoded, int targetBytes)
            throws CodecException {
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory target = new GuardedMemory(arena, targetBytes);
            try {
                MemorySegment input = Samples.nativeCopy(arena, encoded);
                long bytes = decompressor.decompress(input, target.segment());
                return target.segment().asSlice(0, bytes).toArray(JAVA_BYTE);
            } finally {
                target.assertIntact();
            }
        }
    }

    public static void assertDecodes(byte[] expected, Decompressor decompressor, byte[] encoded)
            throws CodecException {
        assertArrayEquals(expected, decode(decompressor, encoded, expected.length));
    }

    public static void assertRefused(
            String problem, Decompressor decompressor, byte[] encoded, int targetBytes) {
        CodecException e =
                assertThrows(
                        CodecException.class, () -> decode(decompressor, encoded, targetBytes));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    /**
     * Asserts that every truncation of a stream is refused, and that the decompressor works
     * afterwards.
     */
    public static void assertRefusesEveryTruncation(
            byte[] sample, Decompressor decompressor, byte[] encoded) throws CodecException {
        for (int bytes = 0; bytes < encoded.length; bytes++) {
            byte[] part = Arrays.copyOf(encoded, bytes);
            assertThrows(
                    CodecException.class,
                    () -> decode(decompressor, part, sample.length),
                    () -> "the first " + part.length + " bytes");
        }
        assertDecodes(sample, decompressor, encoded);
    }

    /** Asserts that a flipped bit is refused, or makes no difference. */
    public static void assertFindsEveryFlippedBit(
            byte[] sample, Decompressor decompressor, byte[] encoded) {
        for (int bit = 0; bit < 8 * encoded.length; bit++) {
            byte[] damaged = encoded.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            try {
                assertArrayEquals(sample, decode(decompressor, damaged, sample.length));
            } catch (CodecException expected) {
                assertTrue(expected.getMessage().contains(": "));
            }
        }
    }

    /**
     * Asserts that damage ends in an exception or other bytes, without a crash or a write outside
     * the target.
     */
    public static void assertSurvivesDamage(
            long seed, Decompressor decompressor, byte[] encoded, int targetBytes, int rounds) {
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (int round = 0; round < rounds; round++) {
            byte[] copy = encoded.clone();
            byte[] damaged =
                    Samples.damaged(random, MemorySegment.ofArray(copy)).toArray(JAVA_BYTE);
            int bytes = random.nextInt(4) == 0 ? random.nextInt(targetBytes + 1) : targetBytes;
            try {
                byte[] decoded = decode(decompressor, damaged, bytes);
                assertTrue(decoded.length <= bytes);
            } catch (CodecException expected) {
                refused++;
            }
        }
        assertTrue(refused > 0, "no damage was found");
    }

    /**
     * Asserts that two decompressors decode the same, and report damage in the same words.
     *
     * @param samples encoded samples of {@code targetBytes} each; at least a fourth of them must be
     *     refused when damaged
     */
    public static void assertSaysTheSameOfDamage(
            Decompressor decompressor, Decompressor other, List<byte[]> samples, int targetBytes) {
        SplittableRandom random = new SplittableRandom(5);
        int refused = 0;
        for (byte[] sample : samples) {
            MemorySegment copy = MemorySegment.ofArray(sample.clone());
            byte[] damaged = Samples.damaged(random, copy).toArray(JAVA_BYTE);
            String expected = outcome(other, damaged, targetBytes);
            assertEquals(expected, outcome(decompressor, damaged, targetBytes));
            refused += expected.startsWith(DECODED) ? 0 : 1;
        }
        assertTrue(refused > samples.size() / 4, refused + " are damaged");
    }

    private static String outcome(Decompressor decompressor, byte[] encoded, int targetBytes) {
        try {
            return DECODED + Arrays.toString(decode(decompressor, encoded, targetBytes));
        } catch (CodecException e) {
            return e.getMessage();
        }
    }

    public static void assertTellsThatTheTargetIsTooSmall(
            Decompressor decompressor, byte[] encoded, int decodedBytes) {
        for (int bytes : new int[] {0, 1, 7, decodedBytes / 2, decodedBytes - 1}) {
            assertThrows(TargetTooSmallException.class, () -> decode(decompressor, encoded, bytes));
        }
    }

    public static byte[] concatenated(byte[]... parts) {
        byte[] all = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        assertEquals(all.length, at);
        return all;
    }
}
