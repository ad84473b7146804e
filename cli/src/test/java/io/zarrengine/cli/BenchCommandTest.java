package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the bench command: its fields, its checksum, and the numbers that do not depend on time.
 */
final class BenchCommandTest {
    private static final long[] SHAPE = {20, 30};

    @TempDir private Path folder;
    private Path array;

    @BeforeEach
    void write() {
        array = SmallArrays.counting(folder.resolve("a"), SHAPE, new long[] {8, 8});
    }

    @Test
    void stringsAreNotMeasured() throws IOException {
        Path strings = SmallArrays.strings(folder.resolve("strings"));
        CommandRun.of("bench", strings, "--slices", slices(":"), "--json")
                .refused(
                        strings
                                + ": elements of the type string have no fixed size, and are not"
                                + " measured");
    }

    @Test
    void jsonHasTheFieldsOfTheContract() throws IOException {
        Map<?, ?> json = bench(array, slices("0:4", "...,3"));
        assertEquals(
                List.of(
                        "crops_per_s",
                        "delivered_gb_per_s",
                        "encoded_gb_per_s",
                        "sub_chunks_per_s",
                        "read_amplification",
                        "p50_ms",
                        "p99_ms",
                        "cpu_s",
                        "wall_s",
                        "threads",
                        "io",
                        "crc32c"),
                List.copyOf(json.keySet()));
        assertEquals((long) Runtime.getRuntime().availableProcessors(), json.get("threads"));
        try (ZarrEngine engine = ZarrEngine.open()) {
            assertEquals(engine.io().name(), ((String) json.get("io")).toUpperCase(Locale.ROOT));
        }
    }

    @Test
    void textHasALineForEachField() throws IOException {
        Path list = slices("...");
        String out = CommandRun.of("bench", array, "--slices", list).succeeded();
        assertEquals(
                bench(array, list).keySet().stream().toList(),
                out.lines().map(line -> line.split(" +")[0]).toList());
    }

    /** Slices of different sizes, with no elements, with one, and with steps, in any order. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 8, 3", "3, 64, 2"})
    void theChecksumIsOfAllElementsInTheOrderOfTheList(int threads, int inFlight, int repeat)
            throws IOException {
        Path list = slices("0:20:3,1:29", "", "7,7", "  ", "5:5", "...", "19,::29", "3");
        ByteBuffer delivered = ByteBuffer.allocate(10_000).order(ByteOrder.LITTLE_ENDIAN);
        append(delivered, 0, 20, 3, 1, 29, 1);
        append(delivered, 7, 8, 1, 7, 8, 1);
        append(delivered, 0, 20, 1, 0, 30, 1);
        append(delivered, 19, 20, 1, 0, 30, 29);
        append(delivered, 3, 4, 1, 0, 30, 1);
        Map<?, ?> json =
                bench(
                        array,
                        list,
                        "--threads",
                        threads,
                        "--in-flight",
                        inFlight,
                        "--repeat",
                        repeat);
        CRC32C expected = new CRC32C();
        expected.update(delivered.flip());
        assertEquals(expected.getValue(), json.get("crc32c"));
        assertEquals((long) threads, json.get("threads"));
    }

    private static void append(
            ByteBuffer elements, int y0, int y1, int yStep, int x0, int x1, int xStep) {
        for (int y = y0; y < y1; y += yStep) {
            for (int x = x0; x < x1; x += xStep) {
                elements.putShort((short) (y * SHAPE[1] + x));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "5"})
    void ratesTimesTheTimeAreWhatWasDone(int repeat) throws IOException {
        Path list = slices("0:8,0:8", "0:9,0:8"); // 1 and 2 chunks of 128 bytes
        Map<?, ?> json = bench(array, list, "--repeat", repeat);
        double wall = number(json, "wall_s");
        assertEquals(2 * repeat, number(json, "crops_per_s") * wall, 1e-6);
        assertEquals(3 * repeat, number(json, "sub_chunks_per_s") * wall, 1e-6);
        // The chunks are not compressed, so only the selected bytes are read.
        assertEquals((64 + 72) * 2 * repeat, 1e9 * number(json, "encoded_gb_per_s") * wall, 1e-6);
        assertEquals((64 + 72) * 2 * repeat, 1e9 * number(json, "delivered_gb_per_s") * wall, 1e-6);
        assertEquals(1.0, json.get("read_amplification"));
        assertTrue(number(json, "p50_ms") <= number(json, "p99_ms"), json::toString);
        assertTrue(number(json, "p99_ms") <= 1e3 * wall, json::toString);
        assertTrue(number(json, "p50_ms") > 0, json::toString);
        assertTrue(number(json, "cpu_s") >= 0, json::toString);
    }

    private static double number(Map<?, ?> json, String name) {
        return (Double) json.get(name);
    }

    /** The index of a shard is read once and cached. The gap between its chunks is read through. */
    @Test
    void indexesAndGapsAreReadAmplification() throws IOException {
        Path shards =
                SmallArrays.countingShards(
                        folder.resolve("s"), new long[] {64}, new long[] {64}, new long[] {8});
        int index = 8 * 16 + 4;
        assertEquals(
                (index + 2 * 128) / (2 * 128.0),
                bench(shards, slices("..."), "--repeat", 2, "--in-flight", 1)
                        .get("read_amplification"));
        assertEquals(
                (index + 7 * 16) / (4 * 16.0),
                bench(shards, slices("::16")).get("read_amplification"));
    }

    /** Cached chunks are decoded once. */
    @Test
    void theChunkCacheServesLaterPasses() throws IOException {
        Path list = slices("...");
        Object[] passes = {"--repeat", 3, "--in-flight", 1};
        assertEquals(3 * 12, chunks(bench(array, list, passes)), 1e-6);
        Object[] cached = {"--repeat", 3, "--in-flight", 1, "--chunk-cache", 16};
        assertEquals(12, chunks(bench(array, list, cached)), 1e-6);
    }

    private static double chunks(Map<?, ?> json) {
        return number(json, "sub_chunks_per_s") * number(json, "wall_s");
    }

    /** O_DIRECT reads whole blocks, where the file system supports it. */
    @Test
    void directReadsTakeWholeBlocks() throws IOException {
        Path shards =
                SmallArrays.countingShards(
                        folder.resolve("s"), new long[] {8192}, new long[] {8192}, new long[] {64});
        Path list = slices("0:64");
        Map<?, ?> buffered = bench(shards, list, "--no-direct");
        Map<?, ?> direct = bench(shards, list, "--direct");
        assertEquals(buffered.get("crc32c"), direct.get("crc32c"));
        double index = 128 * 16 + 4;
        assertEquals((index + 128) / 128, buffered.get("read_amplification"));
        assumeTrue(blockBytes(shards.resolve("c/0")) > 1, "the file system has no O_DIRECT");
        assertTrue(number(direct, "read_amplification") >= (index + 512) / 128, direct::toString);
    }

    private static int blockBytes(Path file) throws IOException {
        try (ReadBackend backend = ReadBackend.best()) {
            FileHandle handle = backend.open(file, Caching.DIRECT);
            handle.release();
            return handle.alignment();
        }
    }

    @Test
    void withoutADeviceTheReasonIsSaid() throws IOException {
        Optional<String> cause = ZarrEngine.deviceUnavailabilityCause();
        assumeTrue(cause.isPresent(), "there is a device");
        CommandRun.of("bench", array, "--slices", slices("..."), "--device", "cuda:3")
                .refused("cuda:3: " + cause.get());
        CommandRun.of(
                        "bench",
                        array,
                        "--slices",
                        slices("..."),
                        "--device",
                        "cuda:3",
                        "--io",
                        "gds")
                .refused("GPUDirect Storage: " + cause.get());
        CommandRun.of("bench", array, "--slices", slices("..."), "--io", "gds")
                .misused("--io gds reads to a GPU only (--device)");
        Path file = folder.resolve("r.npy");
        CommandRun.of("read", array, "--output", file, "--device", "cuda:0")
                .refused("cuda:0: " + cause.get());
        assertFalse(Files.exists(file));
    }

    @Test
    void whatWasNeverWrittenAmplifiesNothing() throws IOException {
        Files.delete(array.resolve("c/0/0"));
        Map<?, ?> json = bench(array, slices("0,0"));
        assertEquals(0.0, json.get("read_amplification"));
        assertEquals(0.0, json.get("encoded_gb_per_s"));
    }

    @ParameterizedTest
    @CsvSource({
        "'0:4|x', 'line 2: \"x\"'",
        "'0:4||20', 'line 3: index 20'",
        "'0,0,0', 'line 1: '",
        "'', '0 slices'",
        "'|', '0 slices'",
    })
    void aBadSliceIsNamed(String lines, String complaint) throws IOException {
        Path list = slices(lines.split("\\|", -1));
        CommandRun.of("bench", array, "--slices", list, "--json").refused(complaint);
    }

    @Test
    void otherProblemsAreRefusedToo() throws IOException {
        Path list = slices("...");
        CommandRun.of("bench", folder.resolve("no"), "--slices", list).refused("does not exist");
        CommandRun.of("bench", array, "--slices", folder.resolve("no")).refused("no such file");
        CommandRun.of("bench", array, "--slices", list, "--repeat", 1 << 28).refused("1 slices");
        Files.write(array.resolve("c/1/1"), new byte[3]);
        CommandRun.of("bench", array, "--slices", list).refused("has 3 bytes, expected 128");
    }

    private Path slices(String... lines) throws IOException {
        return Files.write(folder.resolve("slices"), List.of(lines));
    }

    private static Map<?, ?> bench(Path array, Path slices, Object... options) {
        Object[] words = {"bench", array, "--slices", slices, "--json"};
        Object[] all = Arrays.copyOf(words, words.length + options.length);
        System.arraycopy(options, 0, all, words.length, options.length);
        String out = CommandRun.of(all).succeeded();
        assertEquals(1, out.lines().count(), out);
        return JsonText.object(out);
    }
}
