package io.zarrengine.zarr.codec.deflate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Streams that the machine code refuses go to the JDK, which reports the error. The slow twin is
 * the JDK alone; without machine code both are the same.
 */
final class InflateTest {
    private final Arena arena = Arena.ofConfined();
    private final Inflate inflate = new Inflate("codec");
    private final JdkInflate jdk = new JdkInflate("codec");

    @AfterEach
    void close() {
        inflate.close();
        jdk.close();
        arena.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void saysWhatTheJdkSays(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int refused = 0;
        for (int round = 0; round < 200; round++) {
            byte[] sample = Samples.random(random, random.nextInt(3000));
            byte[] stream = deflated(random.nextInt(10), sample);
            // Other streams follow.
            stream = Arrays.copyOf(stream, stream.length + random.nextInt(2) * 8);
            boolean isGood = random.nextBoolean();
            MemorySegment copy = MemorySegment.ofArray(stream.clone());
            byte[] given = isGood ? stream : Samples.damaged(random, copy).toArray(JAVA_BYTE);
            int room = sample.length + random.nextInt(3) - 1;
            String expected = outcome(given, Math.max(room, 0), false);
            assertEquals(expected, outcome(given, Math.max(room, 0), true));
            refused += expected.startsWith("codec: ") ? 1 : 0;
        }
        assertTrue(refused > 20 && refused < 180, refused + " refused");
    }

    /** Returns the decoded bytes and the count of input bytes taken, or the error. */
    private String outcome(byte[] stream, int room, boolean isOurs) {
        GuardedMemory target = new GuardedMemory(arena, room);
        MemorySegment input = Samples.nativeCopy(arena, stream);
        try {
            long written =
                    isOurs
                            ? inflate.run(input, target.segment())
                            : jdk.run(input, target.segment());
            byte[] decoded = target.segment().asSlice(0, written).toArray(JAVA_BYTE);
            long consumed = isOurs ? inflate.consumedBytes() : jdk.consumedBytes();
            return consumed + " bytes become " + Arrays.toString(decoded);
        } catch (CodecException e) {
            return e.getMessage();
        } finally {
            target.assertIntact();
        }
    }

    private static byte[] deflated(int level, byte... sample) {
        try (Deflater deflater = new Deflater(level, true)) {
            deflater.setInput(sample);
            deflater.finish();
            byte[] stream = new byte[sample.length + 1000];
            return Arrays.copyOf(stream, deflater.deflate(stream));
        }
    }
}
