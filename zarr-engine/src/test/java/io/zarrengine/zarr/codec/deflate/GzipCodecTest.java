package io.zarrengine.zarr.codec.deflate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.BytesCodecContract;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gzip codec. GzipDecompressorTest covers the output of other encoders. */
final class GzipCodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new GzipCodec(6);
    }

    /** Level 0 stores; low levels make the largest blocks that do not compress. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 9})
    void everyLevelStaysWithinItsBound(int level) throws CodecException {
        SplittableRandom random = new SplittableRandom(level);
        GzipCodec codec = new GzipCodec(level);
        try (Workspace workspace = new Workspace();
                Arena arena = Arena.ofConfined()) {
            for (int bytes : new int[] {0, 1, 1000, 65535, 65536, 1_000_000}) {
                byte[] sample = new byte[bytes];
                random.nextBytes(sample);
                long max = codec.encodedBytesMax(bytes);
                long encoded =
                        codec.encode(
                                Samples.nativeCopy(arena, sample), arena.allocate(max), workspace);
                assertTrue(encoded <= max, () -> encoded + " of " + max);
            }
        }
    }
}
