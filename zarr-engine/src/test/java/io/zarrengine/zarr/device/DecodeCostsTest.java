package io.zarrengine.zarr.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class DecodeCostsTest {
    private static final int WORKERS = 16;
    private static final List<NvcompFormat> FORMATS =
            List.of(NvcompFormat.ZSTD, NvcompFormat.LZ4, NvcompFormat.GZIP, NvcompFormat.DEFLATE);

    private final DecodeCosts costs = new DecodeCosts(WORKERS, DeviceOptions.of(0, WORKERS));

    /** As docs/gpu.md measured beside 16 cores; far enough from where both take the same time. */
    @ParameterizedTest
    @CsvSource({
        "ZSTD, 64, 64, false",
        "ZSTD, 64, 1024, true",
        "ZSTD, 64, 16384, true",
        "ZSTD, 256, 64, false",
        "ZSTD, 256, 1024, true",
        "ZSTD, 4096, 64, false",
        "LZ4, 64, 256, false",
        "LZ4, 64, 8192, true",
        "LZ4, 1024, 256, false",
        "LZ4, 1024, 4096, false"
    })
    void startsWithWhatWasMeasured(
            NvcompFormat format, long chunkKib, long chunks, boolean isDevices) {
        assertEquals(isDevices, costs.prefersDevice(format, chunkKib << 10, chunks));
    }

    /** More of the same is never a reason to take it from the device. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void moreChunksFavourTheDevice(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 1000; round++) {
            NvcompFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
            long bytes = 1 + random.nextLong(8L << 20);
            long chunks = 1 + random.nextLong(20_000);
            if (costs.prefersDevice(format, bytes, chunks)) {
                assertTrue(costs.prefersDevice(format, bytes, 2 * chunks), bytes + " " + chunks);
            }
        }
    }

    /** Where the host decodes fast, or the device slowly, the workers do more. */
    @Test
    void followsWhatIsMeasured() {
        long bytes = 64 << 10;
        assertTrue(costs.prefersDevice(NvcompFormat.ZSTD, bytes, 1024));
        for (int i = 0; i < 100; i++) {
            costs.hostDecoded(NvcompFormat.ZSTD, bytes, bytes / 3); // 3 GB/s a worker
            costs.deviceDecoded(NvcompFormat.ZSTD, 1024, bytes, 1024 * bytes, 8_000_000);
        }
        assertFalse(costs.prefersDevice(NvcompFormat.ZSTD, bytes, 1024));
        assertEquals(8_000_000, costs.deviceNanos(NvcompFormat.ZSTD, bytes, 1024), 500_000);
        assertEquals(
                1024.0 / WORKERS * bytes / 3, costs.hostNanos(NvcompFormat.ZSTD, bytes, 1024), 1e5);
    }

    /** A machine that paused is not slow. */
    @Test
    void oneOutlierChangesLittle() {
        long bytes = 64 << 10;
        double before = costs.deviceNanos(NvcompFormat.ZSTD, bytes, 4096);
        costs.deviceDecoded(NvcompFormat.ZSTD, 4096, bytes, 4096 * bytes, 10_000_000_000L);
        assertTrue(costs.deviceNanos(NvcompFormat.ZSTD, bytes, 4096) < 1.2 * before);
        assertTrue(costs.prefersDevice(NvcompFormat.ZSTD, bytes, 4096));
    }

    /** The steady stream of zstd in small chunks is the device's alone; LZ4's is not. */
    @Test
    void helpIsWelcomeWhereTheCpuIsNotMuchSlower() {
        assertFalse(costs.isHelpWelcome(NvcompFormat.ZSTD, 64 << 10));
        assertTrue(costs.isHelpWelcome(NvcompFormat.LZ4, 64 << 10));
        assertTrue(costs.isHelpWelcome(NvcompFormat.ZSTD, 2 << 20));
    }
}
