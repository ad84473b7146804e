package io.zarrengine.zarr.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** UTF-8 validation equals the JDK's decoder. */
final class Utf8Test {
    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT);

    private void check(byte[] bytes) {
        ByteBuffer input = ByteBuffer.wrap(bytes);
        decoder.reset().decode(input, CharBuffer.allocate(bytes.length), true);
        // guarded on both sides by bytes that would continue a character
        byte[] guarded = new byte[bytes.length + 6];
        Arrays.fill(guarded, (byte) 0x80);
        System.arraycopy(bytes, 0, guarded, 3, bytes.length);
        assertEquals(
                3 + input.position(),
                Utf8.validUntil(MemorySegment.ofArray(guarded), 3, 3 + bytes.length),
                () -> HexFormat.of().formatHex(bytes));
    }

    /** All sequences of up to two bytes, and of three or four with continuations at the limits. */
    @Test
    void shortSequences() {
        int[] continuations = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
        for (int first = 0; first < 256; first++) {
            check(new byte[] {(byte) first});
            for (int second = 0; second < 256; second++) {
                check(new byte[] {(byte) first, (byte) second});
                for (int third : continuations) {
                    check(new byte[] {(byte) first, (byte) second, (byte) third});
                    for (int fourth : continuations) {
                        check(
                                new byte[] {
                                    (byte) first, (byte) second, (byte) third, (byte) fourth
                                });
                    }
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void damagedText(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 2000; i++) {
            StringBuilder text = new StringBuilder();
            for (int c = random.nextInt(40); c > 0; c--) {
                int characterMax = random.nextInt(4) > 0 ? 0x80 : 0x110000;
                int character = random.nextInt(characterMax);
                boolean surrogate = character >= 0xd800 && character < 0xe000;
                text.appendCodePoint(surrogate ? 'x' : character);
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            check(bytes);
            if (bytes.length > 0) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                check(bytes);
            }
        }
    }

    @Test
    void nothingIsValid() {
        check(new byte[0]);
    }
}
