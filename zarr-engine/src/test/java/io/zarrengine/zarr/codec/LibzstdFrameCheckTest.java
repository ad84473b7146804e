package io.zarrengine.zarr.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.nvcomp.FrameCheck;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever libzstd writes passes the check before nvCOMP: a frame that does not goes to the CPU,
 * which nobody would notice but by its time.
 */
final class LibzstdFrameCheckTest {
    private static final int FRAMES = 300;

    // Of zstd.h:
    private static final int COMPRESSION_LEVEL = 100;
    private static final int MIN_MATCH = 105;
    private static final int STRATEGY = 107;
    private static final int TARGET_BLOCK_BYTES = 1003;

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
                                encoded(random, arena, sample),
                                sample.length,
                                true),
                        "frame " + i);
            }
        }
    }

    private static MemorySegment encoded(SplittableRandom random, Arena arena, byte... sample)
            throws CodecException {
        MemorySegment context = Libzstd.ZSTD_createCCtx();
        try {
            set(context, COMPRESSION_LEVEL, random.nextInt(-7, 20));
            if (random.nextBoolean()) {
                set(context, STRATEGY, random.nextInt(1, 10));
            }
            if (random.nextInt(3) == 0) {
                set(context, MIN_MATCH, 3);
            }
            if (random.nextInt(3) == 0) {
                set(context, TARGET_BLOCK_BYTES, random.nextInt(1340, 9000));
            }
            MemorySegment decoded = Samples.nativeCopy(arena, sample);
            MemorySegment encoded = arena.allocate(2L * sample.length + 1000);
            long bytes =
                    ZstdCodec.checked(
                            Libzstd.ZSTD_compress2(
                                    context,
                                    encoded,
                                    encoded.byteSize(),
                                    decoded,
                                    decoded.byteSize()));
            return encoded.asSlice(0, bytes);
        } finally {
            Libzstd.ZSTD_freeCCtx(context);
        }
    }

    private static void set(MemorySegment context, int parameter, int value) throws CodecException {
        ZstdCodec.checked(Libzstd.ZSTD_CCtx_setParameter(context, parameter, value));
    }
}
