package io.zarrengine.gpu.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class DecodeCostsTest {
    private static final int WORKERS = 16;
    private static final List<NvcompFormat> FORMATS =
            List.of(
                    NvcompFormat.ZSTD,
                    NvcompFormat.LZ4,
                    NvcompFormat.SNAPPY,
                    NvcompFormat.GZIP,
                    NvcompFormat.DEFLATE);

    private final DecodeCosts costs = new DecodeCosts(WORKERS, DeviceOptions.of(0, WORKERS));

    /** Values measured with 16 cores in docs/decisions/gpu-hybrid.md, far from the break-even. */
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
        "SNAPPY, 64, 64, false",
        "SNAPPY, 64, 8192, true",
        "ZSTD, 4096, 1024, false",
        "LZ4, 1024, 4096, false"
    })
    void startsWithWhatWasMeasured(
            NvcompFormat format, long chunkKib, long chunks, boolean isDevices) {
        assertEquals(isDevices, costs.prefersDevice(format, chunkKib << 10, 1, chunks));
    }

    /**
     * For any number of chunks, because chunks that workers decode also pass through host memory.
     */
    @ParameterizedTest
    @EnumSource(
            value = NvcompFormat.class,
            names = {"ZSTD", "LZ4", "SNAPPY"})
    void workersAreNoFasterThanTheWayToTheDevice(NvcompFormat format) {
        var beside = new DecodeCosts(1000, DeviceOptions.of(0, 64));
        assertTrue(beside.prefersDevice(format, 64 << 10, 1, 16_384));
        assertFalse(beside.prefersDevice(format, 64 << 10, 1, 64));
    }

    /** A worker decodes the streams of a chunk one after another, a device in parallel. */
    @ParameterizedTest(name = "{0} chunks of {1} streams of {2} KiB: {3}")
    @CsvSource({
        "7, 32, 128, true", // a worker takes as long for one chunk
        "7, 1, 4096, false",
        "1, 32, 128, true",
        "1, 8, 128, false",
        "512, 1, 128, true"
    })
    void streamsAreDecodedAtOnce(long chunks, long streams, long streamKib, boolean isDevices) {
        assertEquals(
                isDevices,
                costs.prefersDevice(NvcompFormat.ZSTD, streamKib << 10, streams, chunks));
    }

    /** With 16 workers, and with 64, which a device could only slow down. */
    @ParameterizedTest(name = "{0}, {1} KiB, {2} chunks, {3} workers: {4}")
    @CsvSource({
        "ZSTD, 4096, 256, 16, true",
        "ZSTD, 4096, 200, 16, false", // finished before the device would decode one
        "ZSTD, 4096, 256, 64, false",
        "ZSTD, 4096, 100000, 64, false",
        "LZ4, 1024, 4096, 16, false" // 41 ms and 23
    })
    void aPartIsWelcomeWhereItIsWorthItsRoom(
            NvcompFormat format, long chunkKib, long chunks, int workers, boolean expected) {
        var beside = new DecodeCosts(workers, DeviceOptions.of(0, workers));
        assertEquals(expected, beside.isPartWelcome(format, chunkKib << 10, chunks));
    }

    /** A batch holds 132 chunks of 4 MiB, and half a batch is enough to learn from. */
    @Test
    void batchesOfLargeChunksAreLearnedFrom() {
        long bytes = 4 << 20;
        for (int i = 0; i < 100; i++) {
            costs.deviceDecoded(NvcompFormat.ZSTD, 65, bytes, 65 * bytes, 500_000_000L);
        }
        assertTrue(costs.isPartWelcome(NvcompFormat.ZSTD, bytes, 1000), "too few");
        for (int i = 0; i < 100; i++) {
            costs.deviceDecoded(NvcompFormat.ZSTD, 66, bytes, 66 * bytes, 240_000_000L);
        }
        assertFalse(costs.isPartWelcome(NvcompFormat.ZSTD, bytes, 1000), "four times as slow");
    }

    /** More chunks of the same size never change the choice from the device to the workers. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void moreChunksFavourTheDevice(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 1000; round++) {
            NvcompFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
            long bytes = 1 + random.nextLong(8L << 20);
            long chunks = 1 + random.nextLong(20_000);
            if (costs.prefersDevice(format, bytes, 1, chunks)) {
                assertTrue(costs.prefersDevice(format, bytes, 1, 2 * chunks), bytes + " " + chunks);
            }
        }
    }

    /** Where the host decodes fast, or the device slowly, the workers do more. */
    @Test
    void followsWhatIsMeasured() {
        long bytes = 64 << 10;
        assertTrue(costs.prefersDevice(NvcompFormat.ZSTD, bytes, 1, 1024));
        for (int i = 0; i < 100; i++) {
            costs.hostDecoded(NvcompFormat.ZSTD, bytes, bytes / 3); // 3 GB/s a worker
            costs.deviceDecoded(NvcompFormat.ZSTD, 1024, bytes, 1024 * bytes, 8_000_000);
        }
        assertFalse(costs.prefersDevice(NvcompFormat.ZSTD, bytes, 1, 1024));
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
        assertEquals(before, costs.deviceNanos(NvcompFormat.ZSTD, bytes, 4096), "the first batch");
        costs.deviceDecoded(NvcompFormat.ZSTD, 4096, bytes, 4096 * bytes, 10_000_000_000L);
        assertTrue(costs.deviceNanos(NvcompFormat.ZSTD, bytes, 4096) < 1.2 * before);
        assertTrue(costs.prefersDevice(NvcompFormat.ZSTD, bytes, 1, 4096));
    }

    /**
     * Slow batches at the start took all of blosc-zstd from 4 H100, for good, and 64 workers made a
     * third of what one of them makes. One that is slow gets a batch now and then.
     */
    @Test
    void aDeviceThatWasSlowOnceIsAskedAgain() {
        var beside = new DecodeCosts(64, DeviceOptions.of(0, 64));
        long bytes = 64 << 10;
        for (int i = 0; i < 10; i++) {
            beside.deviceDecoded(NvcompFormat.LZ4, 8192, bytes, 8192 * bytes, 80_000_000);
        }
        int refusals = refusals(beside, bytes);
        assertTrue(refusals > 100_000 && refusals < 3_000_000, refusals + " refusals");
        beside.deviceDecoded(NvcompFormat.LZ4, 8192, bytes, 8192 * bytes, 80_000_000);
        int again = refusals(beside, bytes);
        assertTrue(again > 10 * 8192, again + " refusals, and then one batch");
        beside.deviceDecoded(NvcompFormat.LZ4, 8192, bytes, 8192 * bytes, 80_000_000);
        assertFalse(beside.prefersDevice(NvcompFormat.LZ4, bytes, 1, 16_384));
        for (int i = 0; i < 10; i++) {
            beside.deviceDecoded(NvcompFormat.LZ4, 8192, bytes, 8192 * bytes, 6_000_000);
        }
        assertTrue(beside.prefersDevice(NvcompFormat.LZ4, bytes, 1, 16_384));
    }

    private static int refusals(DecodeCosts beside, long bytes) {
        int count = 0;
        while (!beside.prefersDevice(NvcompFormat.LZ4, bytes, 1, 16_384)) {
            count++;
        }
        return count;
    }

    /** A steady load of zstd in small chunks is decoded by the device alone; gzip is shared. */
    @Test
    void helpIsWelcomeWhereTheCpuIsNotMuchSlower() {
        for (int kib : new int[] {4, 16, 64, 128}) {
            assertFalse(costs.isHelpWelcome(NvcompFormat.ZSTD, kib << 10), kib + " KiB");
            assertFalse(costs.isHelpWelcome(NvcompFormat.LZ4, kib << 10), kib + " KiB");
        }
        assertTrue(costs.isHelpWelcome(NvcompFormat.GZIP, 64 << 10));
        assertTrue(costs.isHelpWelcome(NvcompFormat.ZSTD, 2 << 20));
        for (int i = 0; i < 100; i++) { // As on an H100.
            costs.deviceDecoded(NvcompFormat.GZIP, 8187, 64 << 10, 8187 << 16, 24_300_000);
        }
        assertTrue(costs.isHelpWelcome(NvcompFormat.GZIP, 64 << 10));
        for (int i = 0; i < 100; i++) { // Before anything was compiled, say.
            costs.hostDecoded(NvcompFormat.GZIP, 64 << 10, 10_000_000);
        }
        assertTrue(costs.isHelpWelcome(NvcompFormat.GZIP, 64 << 10), "else nobody learns more");
        var fewWorkers = new DecodeCosts(WORKERS / 4, DeviceOptions.of(0, WORKERS / 4));
        assertFalse(fewWorkers.isHelpWelcome(NvcompFormat.GZIP, 64 << 10));
    }

    /** Twice as fast as the CPU, but what the CPU decodes would have to come over the link. */
    @Test
    void helpIsNotWelcomeWhereTheLinkIsNoFaster() {
        long bytes = 64 << 10;
        for (int i = 0; i < 100; i++) {
            costs.hostDecoded(NvcompFormat.LZ4, bytes, bytes / 3); // 3 GB/s each
        }
        assertFalse(costs.isHelpWelcome(NvcompFormat.LZ4, bytes));
        for (int i = 0; i < 100; i++) {
            costs.deviceDecoded(NvcompFormat.LZ4, 8192, bytes, 8192 * bytes, 20_000_000); // 27 GB/s
        }
        assertTrue(costs.isHelpWelcome(NvcompFormat.LZ4, bytes), "an older device");
    }
}
