package io.zarrengine.bindings.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests all kinds of {@link FrameBytes}. */
final class FrameBytesTest {
    static Stream<Named<Function<MemorySegment, FrameBytes>>> kinds() {
        return Stream.of(
                Named.of("mapped", MappedBytes::new), Named.of("stable", StableBytes::new));
    }

    /** Catches a wrong sign, byte order or width, and copied bytes of another position. */
    @ParameterizedTest
    @MethodSource("kinds")
    void readsLittleEndianNumbers(Function<MemorySegment, FrameBytes> kind) {
        byte[] content = new byte[200];
        SplittableRandom random = new SplittableRandom(1);
        random.nextBytes(content);
        FrameBytes bytes = kind.apply(MemorySegment.ofArray(content));
        assertEquals(content.length, bytes.byteSize());
        for (int round = 0; round < 2000; round++) {
            int width = random.nextInt(Long.BYTES + 1);
            int at = random.nextInt(content.length - width + 1);
            long expected = slowly(content, at, width);
            assertEquals(expected, bytes.littleEndian(at, width), width + " bytes at " + at);
            if (width == Integer.BYTES) {
                assertEquals((int) expected, bytes.littleEndianInt(at));
                assertEquals(content[at] & 0xff, bytes.unsignedByte(at));
            }
        }
    }

    private static long slowly(byte[] content, int at, int width) {
        BigInteger number = BigInteger.ZERO;
        for (int i = width - 1; i >= 0; i--) {
            number = number.shiftLeft(Byte.SIZE).or(BigInteger.valueOf(content[at + i] & 0xff));
        }
        return number.longValue();
    }

    /** Catches a number with missing bytes. */
    @ParameterizedTest
    @MethodSource("kinds")
    void refusesWhatIsNotThere(Function<MemorySegment, FrameBytes> kind) {
        FrameBytes bytes = kind.apply(MemorySegment.ofArray(new byte[9]));
        for (int i = 1; i <= Long.BYTES; i++) {
            int width = i;
            assertEquals(0, bytes.littleEndian(9 - width, width));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> bytes.littleEndian(10 - width, width));
            assertThrows(IndexOutOfBoundsException.class, () -> bytes.littleEndian(-1, width));
        }
        assertEquals(0, bytes.littleEndian(9, 0));
    }
}
