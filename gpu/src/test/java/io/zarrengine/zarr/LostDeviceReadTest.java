package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.DeviceLostException;
import io.zarrengine.zarr.errors.DeviceUnavailableException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import jdk.jfr.Recording;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the simulated device. bin/gpu.sh runs each in its own process. */
@NeedsDevice
@Tag("engine-fault")
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LostDeviceReadTest {
    private static final Target DEVICE = Target.cuda(0);
    private static final int READS = 40;

    @TempDir Path folder;

    private SampleArray write(ZarrEngine engine) {
        return SampleArray.writeZstdShards(engine, folder.resolve("array"), NumericType.INT16);
    }

    /**
     * After any device failure, every read ends with the right elements, on the device or on the
     * host. A read to the caller's memory fails with the device.
     */
    @Test
    @EnabledIfEnvironmentVariable(named = "SIMULATED_CUDA_FAULT", matches = ".*")
    void nothingIsLostWithADevice() {
        try (ZarrEngine engine = DeviceEngines.open()) {
            SampleArray sample = write(engine);
            try (ZarrArray array = engine.openArray(sample.path())) {
                readMany(array, sample.all());
            } catch (DeviceUnavailableException e) {
                assertTrue(e.getMessage().contains("cuda"), e::getMessage); // it never opened
            }
        }
    }

    /**
     * Small reads, which the host decodes and one copy brings to the device, are not lost either.
     */
    @Test
    @EnabledIfEnvironmentVariable(named = "SIMULATED_CUDA_FAULT", matches = ".*")
    void noSmallReadIsLostWithADevice() {
        DeviceOptions small =
                new DeviceOptions(256L << 20, 8, 256 << 10, 64, 4L << 20, 1000, 0, 0, true, false);
        try (ZarrEngine engine = DeviceEngines.open(small)) {
            SampleArray sample = write(engine);
            try (ZarrArray array = engine.openArray(sample.path())) {
                for (int i = 0; i < READS; i++) { // one at a time
                    endsWell(array.readAsync(Selection.all(), DEVICE), sample.all());
                }
                readMany(array, sample.all());
            } catch (DeviceUnavailableException e) {
                assertTrue(e.getMessage().contains("cuda"), e::getMessage);
            }
        }
    }

    /** If the only slot were lost, copying back would wait for it for ever. */
    @Test
    @Order(0) // The fault must occur in this test.
    @EnabledIfEnvironmentVariable(
            named = "SIMULATED_CUDA_FAULT",
            matches = "cudaEventRecord:10:719")
    void theSlotOfABatchThatBeginsBadlyIsGivenBack() {
        DeviceOptions oneSlot =
                new DeviceOptions(256L << 20, 1, 256 << 10, 64, 4L << 20, 0, 0, 0, true, false);
        Selection chunk = Selection.of("0:10, 0:20"); // A batch records 9 events.
        try (Recording recording = new Recording();
                ZarrEngine engine = DeviceEngines.open(oneSlot);
                ZarrArray array = engine.openArray(write(engine).path())) {
            recording.enable("io.zarrengine.DeviceBatch");
            recording.start();
            try (DeviceTensor before = array.readAsync(chunk, DEVICE).join();
                    DeviceTensor after = array.readAsync(chunk, DEVICE).join()) {
                assertTrue(before.hostReason().isEmpty());
                assertTrue(after.hostReason().isPresent());
                assertThrows(DeviceLostException.class, before::toHost);
            }
        }
    }

    /** Only the sticky error ends the device. The other errors are the caller's. */
    @Test
    @EnabledIfEnvironmentVariable(
            named = "SIMULATED_CUDA_FAULT",
            matches = "cudaPointerGetAttributes.*")
    void aTargetOfWhichTheDriverSaysNothingIsRefused() {
        boolean isLost = System.getenv("SIMULATED_CUDA_FAULT").endsWith("719");
        try (ZarrEngine engine = DeviceEngines.open();
                ZarrArray array = engine.openArray(write(engine).path());
                DeviceTensor memory = array.readAsync(Selection.all(), DEVICE).join()) {
            Target target = DEVICE.into(memory.pointer(), memory.byteSize());
            array.readAsync(Selection.all(), target).join().close(); // queries two of its bytes
            var failure =
                    assertThrows(
                            CompletionException.class,
                            () -> array.readAsync(Selection.all(), target).join());
            Class<?> expected = isLost ? DeviceLostException.class : IllegalArgumentException.class;
            assertEquals(expected, failure.getCause().getClass());
            try (DeviceTensor after = array.readAsync(Selection.all(), DEVICE).join()) {
                assertEquals(isLost, after.hostReason().isPresent());
            }
        }
    }

    static void readMany(ZarrArray array, byte[] expected) {
        List<CompletableFuture<DeviceTensor>> reads = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            List<Selection> twice = List.of(Selection.all(), Selection.all());
            reads.add(
                    i % 4 == 3
                            ? array.readAsync(twice, DEVICE)
                            : array.readAsync(Selection.all(), DEVICE));
        }
        boolean isLost = false;
        for (CompletableFuture<DeviceTensor> read : reads) {
            isLost |= endsWell(read, expected);
        }
        if (isLost) {
            long bytes = array.bytesOf(Selection.all());
            var failure =
                    assertThrows(
                            CompletionException.class,
                            () ->
                                    array.readAsync(Selection.all(), DEVICE.into(4096, bytes))
                                            .join());
            assertInstanceOf(DeviceLostException.class, failure.getCause());
        }
    }

    /** Returns whether the device was lost before the elements were back on the host. */
    private static boolean endsWell(CompletableFuture<DeviceTensor> read, byte[] expected) {
        try (DeviceTensor tensor = read.join();
                HostTensor copy = tensor.toHost()) {
            for (long at = 0; at < copy.segment().byteSize(); at += expected.length) {
                MemorySegment one = copy.segment().asSlice(at, expected.length);
                assertArrayEquals(expected, one.toArray(JAVA_BYTE));
            }
            return tensor.hostReason().isPresent();
        } catch (DeviceLostException e) { // after the read had ended
            return true;
        }
    }

    /** The CPU decodes chunks that nvCOMP reports as failed, or decoded to another size. */
    @Test
    @EnabledIfEnvironmentVariable(named = "SIMULATED_NVCOMP_FAULT", matches = ".*")
    void theCpuDecodesWhatTheDeviceDoesNot() {
        try (ZarrEngine engine = DeviceEngines.open()) {
            SampleArray sample = write(engine);
            try (ZarrArray array = engine.openArray(sample.path())) {
                readMany(array, sample.all());
            }
            DeviceMetrics done = engine.deviceMetrics(0);
            assertTrue(done.chunksRescued() > 0, done::toString);
        }
    }

    /** Tests chunks whose streams were moved for the device. */
    @Test
    @EnabledIfEnvironmentVariable(named = "SIMULATED_NVCOMP_FAULT", matches = ".*")
    void theCpuDecodesStreamsThatTheDeviceDoesNot() throws IOException {
        byte[] expected = BloscArrays.write(folder);
        BloscArrays.breakChecksums(folder); // The CPU does not compare them either.
        try (ZarrEngine engine = DeviceEngines.openUnverified();
                ZarrArray array = engine.openArray(folder)) {
            readMany(array, expected);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertTrue(done.chunksRescued() > 0, done::toString);
        }
    }

    /** Tests gzip, whose decoder may have written past its target. */
    @Test
    @EnabledIfEnvironmentVariable(named = "SIMULATED_NVCOMP_FAULT", matches = ".*")
    void theCpuDecodesAllThatADecoderMayHaveWrittenTo() {
        try (ZarrEngine engine = DeviceEngines.openUnverified()) {
            SampleArray sample =
                    SampleArray.write(
                            engine,
                            folder.resolve("gzip"),
                            ArrayMetadata.builder(NumericType.INT16, 64, 1000)
                                    .chunkShape(1, 1000)
                                    .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                                    .build());
            try (ZarrArray array = engine.openArray(sample.path())) {
                readMany(array, sample.all());
            }
            DeviceMetrics done = engine.deviceMetrics(0);
            assertTrue(done.chunksRescued() > 0, done::toString);
        }
    }

    /** Tests chunks larger than a slot, which the device copied from their files. */
    @Test
    @EnabledIfEnvironmentVariable(named = "SIMULATED_NVCOMP_FAULT", matches = ".*")
    void theCpuDecodesLargeChunksThatTheDeviceDoesNot() throws IOException {
        byte[] expected = BloscArrays.writeLargeZstd(folder, 6, 64 << 10);
        try (ZarrEngine engine = DeviceEngines.openMapping(DeviceEngines.SMALL, Long.MAX_VALUE);
                ZarrArray array = engine.openArray(folder)) {
            for (int i = 0; i < 10; i++) {
                endsWell(array.readAsync(Selection.all(), DEVICE), expected);
            }
            DeviceMetrics done = engine.deviceMetrics(0);
            assertTrue(done.bytesCopiedFromFiles() > 0, done::toString);
            assertTrue(done.chunksRescued() > 0, done::toString);
        }
    }

    /** Tests chunks with a filter that the device would have undone too. */
    @Test
    @EnabledIfEnvironmentVariable(named = "SIMULATED_NVCOMP_FAULT", matches = ".*")
    void theCpuConvertsWhatTheDeviceDoesNot() throws IOException {
        try (ZarrEngine engine = DeviceEngines.open()) {
            SampleArray sample = write(engine);
            ArrayMetadata stored = sample.metadata();
            List<CodecSpec> codecs = new ArrayList<>(stored.codecs());
            codecs.addFirst(
                    new CodecSpec(
                            "numcodecs.astype",
                            Map.of("encode_dtype", "int16", "decode_dtype", "float32")));
            ArrayMetadata wanted =
                    ArrayMetadata.builder(NumericType.FLOAT32, stored.shape())
                            .chunkShape(stored.chunkShape())
                            .codecs(codecs)
                            .build();
            Files.write(
                    sample.path().resolve("zarr.json"), MetadataWriter.write("zarr.json", wanted));
            try (ZarrArray array = engine.openArray(sample.path());
                    HostTensor converted = array.read(Selection.all())) {
                assertEquals(4 * 120 * 200, converted.segment().byteSize());
                readMany(array, converted.segment().toArray(JAVA_BYTE));
            }
            DeviceMetrics done = engine.deviceMetrics(0);
            assertTrue(done.chunksRescued() > 0, done::toString);
        }
    }
}
