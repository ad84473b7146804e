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

    /** A steady load of zstd in small chunks is decoded by the device alone; gzip is shared. */
    @Test
    void helpIsWelcomeWhereTheCpuIsNotMuchSlower() {
        for (int kib : new int[] {4, 16, 64, 128}) {
            assertFalse(costs.isHelpWelcome(NvcompFormat.ZSTD, kib << 10), kib + " KiB");
            assertFalse(costs.isHelpWelcome(NvcompFormat.LZ4, kib << 10), kib + " KiB");
        }
        assertTrue(costs.isHelpWelcome(NvcompFormat.GZIP, 64 << 10));
        assertTrue(costs.isHelpWelcome(NvcompFormat.ZSTD, 2 << 20));
        var fewWorkers = new DecodeCosts(WORKERS / 4, DeviceOptions.of(0, WORKERS / 4));
        assertFalse(fewWorkers.isHelpWelcome(NvcompFormat.GZIP, 64 << 10));
    }
}
