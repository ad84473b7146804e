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
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The base64 codec decodes the output of the JDK's encoder, around the size of the parts that are
 * decoded at once.
 */
final class Base64CodecTest {
    private static final int PART = 3 * 4096;

    private final Workspace workspace = new Workspace();
    private final Base64Codec codec = new Base64Codec();

    @AfterEach
    void close() {
        workspace.close();
    }

    private byte[] decode(byte[] text, int targetBytes) throws CodecException {
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory target = new GuardedMemory(arena, targetBytes);
            MemorySegment encoded = MemorySegment.ofArray(text);
            try {
                long bytes = codec.decode(encoded, target.segment(), workspace);
                return target.segment().asSlice(0, bytes).toArray(JAVA_BYTE);
            } finally {
                target.assertIntact();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 15, 16, 17, PART - 1, PART, PART + 1, 2 * PART, 30_000})
    void isWhatTheJdkWrites(int bytes) throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(bytes), bytes);
        byte[] text = Base64.getEncoder().encode(sample);
        assertEquals(text.length, codec.encodedBytesMax(bytes));
        assertArrayEquals(sample, decode(text, bytes));
        assertArrayEquals(sample, decode(text, bytes + 5));
        byte[] encoded = new byte[text.length];
        long written =
                codec.encode(
                        MemorySegment.ofArray(sample), MemorySegment.ofArray(encoded), workspace);
        assertEquals(text.length, written);
        assertArrayEquals(text, encoded);
        if (bytes > 0) {
            assertThrows(TargetTooSmallException.class, () -> decode(text, bytes - 1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "AQI, '3 characters, expected a multiple of 4'",
        "AQ-_, from character 0 to 4 is no base64",
        "AQI==AQI, is no base64",
        "A===, is no base64",
        "'AQI\n', is no base64",
        "éAQ, is no base64",
    })
    void refuses(String text, String problem) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        CodecException e = assertThrows(CodecException.class, () -> decode(bytes, 100));
        assertTrue(e.getMessage().startsWith("base64: "), e::getMessage);
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    /** Two texts one after the other, cut where a part ends. */
    @Test
    void refusesPaddingBeforeTheEnd() {
        String part = "A".repeat(4 * 4096 - 1) + "=";
        byte[] bytes = (part + "AAAA").getBytes(StandardCharsets.US_ASCII);
        CodecException e = assertThrows(CodecException.class, () -> decode(bytes, 2 * PART));
        assertEquals("base64: padding stands before character 16384, not last", e.getMessage());
    }
}
