package io.zarrengine.zarr.codec.deflate;

import static io.zarrengine.zarr.codec.DecompressorTests.assertDecodes;
import static io.zarrengine.zarr.codec.DecompressorTests.assertRefused;
import static io.zarrengine.zarr.codec.DecompressorTests.concatenated;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.zarr.codec.DecompressorTests;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.errors.CodecException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Zlib streams, as blosc chunks hold them. */
final class ZlibDecompressorTest {
    private final ZlibDecompressor decompressor = new ZlibDecompressor(true);

    @AfterEach
    void close() {
        decompressor.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesWhatTheJdkEncodes(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int bytes : Samples.boundaryBytes()) {
            byte[] sample = Samples.random(random, bytes);
            assertDecodes(sample, decompressor, deflated(sample, random.nextInt(10)));
        }
        for (int round = 0; round < 50; round++) {
            byte[] sample = Samples.random(random, random.nextInt(100_000));
            assertDecodes(sample, decompressor, deflated(sample, random.nextInt(10)));
        }
    }

    @Test
    void refusesEveryTruncationAndEveryFlippedBit() throws CodecException {
        for (int level : new int[] {0, 6}) {
            byte[] sample = Samples.random(new SplittableRandom(7), 400);
            byte[] stream = deflated(sample, level);
            DecompressorTests.assertRefusesEveryTruncation(sample, decompressor, stream);
            DecompressorTests.assertFindsEveryFlippedBit(sample, decompressor, stream);
        }
    }

    @Test
    void refusesBytesAfterTheStream() {
        byte[] stream = deflated(new byte[100], 6);
        byte[] more = Arrays.copyOf(stream, stream.length + 3);
        assertRefused("3 bytes follow the stream", decompressor, more, 100);
        byte[] twice = concatenated(stream, stream);
        assertRefused(stream.length + " bytes follow", decompressor, twice, 200);
    }

    @Test
    void refusesMoreThanTheTargetHolds() throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(8), 5000);
        byte[] stream = deflated(sample, 6);
        assertRefused("decodes to more than 4999 bytes", decompressor, stream, 4999);
        assertRefused("decodes to more than 0 bytes", decompressor, stream, 0);
        assertArrayEquals(sample, DecompressorTests.decode(decompressor, stream, 6000));
    }

    @Test
    void refusesAStreamThatNeedsADictionary() {
        Deflater deflater = new Deflater();
        deflater.setDictionary(new byte[] {1, 2, 3, 4});
        byte[] stream = finish(deflater, new byte[] {1, 2, 3, 4, 5});
        assertRefused("needs a preset dictionary", decompressor, stream, 5);
    }

    private static byte[] deflated(byte[] sample, int level) {
        return finish(new Deflater(level), sample);
    }

    private static byte[] finish(Deflater deflater, byte[] sample) {
        try (deflater) {
            byte[] stream = new byte[sample.length + 1000];
            deflater.setInput(sample);
            deflater.finish();
            return Arrays.copyOf(stream, deflater.deflate(stream));
        }
    }
}
