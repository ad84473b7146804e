package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.cuda.GpuDirectStorage;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that reads by way of a GPU give the same result as reads to the host. */
@Tag("gpu")
final class DeviceCommandTest {
    @TempDir private Path folder;
    private Path array;

    @BeforeAll
    static void requireDevice() {
        boolean isRequired = "required".equals(System.getProperty("io.zarrengine.gpu"));
        assumeTrue(isRequired || ZarrEngine.deviceUnavailabilityCause().isEmpty(), "no device");
    }

    @BeforeEach
    void write() {
        array =
                SmallArrays.countingShards(
                        folder.resolve("a"),
                        new long[] {1000, 1100},
                        new long[] {512, 512},
                        new long[] {64, 64});
    }

    @ParameterizedTest
    @ValueSource(strings = {"...", "3:5,7", "::7,::-3", "0:0", "[5,2],:"})
    void readsTheSame(String slice) throws IOException {
        Path onHost = folder.resolve("host.npy");
        Path onDevice = folder.resolve("device.npy");
        CommandRun.of("read", array, "--slice", slice, "--output", onHost).succeeded();
        CommandRun.of("read", array, "--slice", slice, "--output", onDevice, "--device", "cuda:0")
                .succeeded();
        assertArrayEquals(Files.readAllBytes(onHost), Files.readAllBytes(onDevice));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "gds"})
    void measuresTheSame(String io) throws IOException {
        boolean isUsable = GpuDirectStorage.status() instanceof GpuDirectStorage.Status.Usable;
        assumeTrue(isUsable || !io.equals("gds"), "no GPUDirect Storage");
        Path list =
                Files.write(folder.resolve("slices"), List.of("...", "3:300,7:400", "5", "0:0"));
        Object[] words = {"bench", array, "--slices", list, "--json", "--repeat", 2};
        Map<?, ?> onHost = JsonText.object(CommandRun.of(words).succeeded());
        Object[] more = {"--device", "cuda:0", "--io", io, "--in-flight", 3};
        Map<?, ?> onDevice = JsonText.object(CommandRun.of(joined(words, more)).succeeded());
        assertEquals(
                List.of(
                        "crops_per_s",
                        "delivered_gb_per_s",
                        "encoded_gb_per_s",
                        "sub_chunks_per_s",
                        "read_amplification",
                        "copied_gb_per_s",
                        "device_chunks_per_s",
                        "device_decoded_per_s",
                        "decoded_by_cpu",
                        "p50_ms",
                        "p99_ms",
                        "cpu_s",
                        "wall_s",
                        "threads",
                        "io",
                        "device",
                        "crc32c"),
                List.copyOf(onDevice.keySet()));
        assertEquals(onHost.get("crc32c"), onDevice.get("crc32c"));
        assertEquals("cuda:0", onDevice.get("device"));
        double bytes = 2 * 2 * (1000 * 1100 + 297 * 393 + 1100);
        assertEquals(bytes, total(onDevice, "delivered_gb_per_s") * 1e9, 1);
        assertTrue(total(onDevice, "copied_gb_per_s") * 1e9 >= 2 * 2 * 1000 * 1100);
        assertTrue(total(onDevice, "device_chunks_per_s") >= 1);
        double chunks = total(onHost, "sub_chunks_per_s");
        assertEquals(chunks, total(onDevice, "sub_chunks_per_s"), 1e-6 * chunks);
        // For uncompressed chunks the host also counts the bytes around the selected elements.
        double encoded = total(onHost, "encoded_gb_per_s");
        assertTrue(total(onDevice, "encoded_gb_per_s") >= 0.999999 * encoded);
        assertTrue((Double) onDevice.get("read_amplification") >= 1);
    }

    private static double total(Map<?, ?> json, String rate) {
        return (Double) json.get(rate) * (Double) json.get("wall_s");
    }

    private static Object[] joined(Object[] first, Object[] second) {
        return Stream.of(first, second).flatMap(Stream::of).toArray();
    }

    @Test
    void aDeviceThatIsNotThereIsRefused() throws IOException {
        Path file = folder.resolve("r.npy");
        CommandRun.of("read", array, "--output", file, "--device", "cuda:99").refused("cuda:99: ");
        Path list = Files.write(folder.resolve("slices"), List.of("..."));
        CommandRun.of("bench", array, "--slices", list, "--device", "cuda:99").refused("cuda:99: ");
    }

    @Test
    void aFailedReadIsToldAsItIs() throws IOException {
        Files.write(array.resolve("c/1/1"), new byte[3]);
        Path list = Files.write(folder.resolve("slices"), List.of("0:9", "..."));
        CommandRun.of("bench", array, "--slices", list, "--device", "cuda:0").refused("c/1/1");
        Path file = folder.resolve("r.npy");
        CommandRun.of("read", array, "--output", file, "--device", "cuda:0").refused("c/1/1");
    }

    /** The option that enables it names it. */
    @Test
    void doctorSaysWhatReadsAroundTheHost() {
        assumeTrue(GpuDirectStorage.status() instanceof GpuDirectStorage.Status.Usable);
        String finding = CommandRun.of("doctor").succeeded();
        assertTrue(finding.contains("--io gds"), finding);
    }
}
