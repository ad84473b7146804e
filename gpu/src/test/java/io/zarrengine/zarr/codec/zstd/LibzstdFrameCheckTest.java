package io.zarrengine.zarr.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.nvcomp.FrameCheck;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every frame that libzstd writes passes the check before nvCOMP. A refused frame would go to the
 * CPU, which only its time would show.
 */
final class LibzstdFrameCheckTest {
    private static final int FRAMES = 300;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void framesOfAllKindsOfBlocksPass(long seed) throws CodecException {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable());
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < FRAMES; i++) {
            byte[] sample = Samples.random(random, 1 + random.nextInt(1 << random.nextInt(1, 20)));
            try (Arena arena = Arena.ofConfined()) {
                assertEquals(
                        Optional.empty(),
                        FrameCheck.refusal(
                                NvcompFormat.ZSTD,
                                LibzstdFrames.encode(arena, parameters(random), sample),
                                sample.length,
                                true),
                        "frame " + i);
            }
        }
    }

    private static Map<Integer, Integer> parameters(SplittableRandom random) {
        Map<Integer, Integer> parameters = new HashMap<>();
        parameters.put(LibzstdFrames.COMPRESSION_LEVEL, random.nextInt(-7, 20));
        if (random.nextBoolean()) {
            parameters.put(LibzstdFrames.STRATEGY, random.nextInt(1, 10));
        }
        if (random.nextInt(3) == 0) {
            parameters.put(LibzstdFrames.MIN_MATCH, 3);
        }
        if (random.nextInt(3) == 0) {
            parameters.put(LibzstdFrames.TARGET_BLOCK_BYTES, random.nextInt(1340, 9000));
        }
        return parameters;
    }
}
