package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.EngineClosedException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads to a GPU against elements computed one by one. */
@NeedsDevice
final class DeviceReadTest {
    private static final Target DEVICE = Target.cuda(0);

    @TempDir Path folder;

    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = DeviceEngines.open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    static LongStream seeds() {
        long fresh = Long.getLong("io.zarrengine.seed", System.nanoTime());
        return LongStream.concat(LongStream.range(0, 30), LongStream.of(fresh));
    }

    /** Many boxes at once, of which each batch holds chunks of several. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsWhatWasWritten(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomMetadata arrays = new RandomMetadata(random);
        ArrayMetadata metadata = arrays.next();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path())) {
            List<BoxPositions> boxes =
                    Stream.generate(() -> arrays.box(metadata.shape())).limit(12).toList();
            List<CompletableFuture<DeviceTensor>> reads =
                    boxes.stream().map(box -> array.readAsync(box.selection(), DEVICE)).toList();
            for (int i = 0; i < boxes.size(); i++) {
                try (DeviceTensor tensor = reads.get(i).join()) {
                    assertHolds(sample.expected(boxes.get(i)), tensor);
                }
            }
        }
    }

    private static void assertHolds(byte[] expected, DeviceTensor tensor) {
        assertTrue(tensor.hostReason().isEmpty(), () -> tensor.hostReason().orElse(""));
        try (HostTensor copy = tensor.toHost()) {
            assertArrayEquals(expected, copy.segment().toArray(JAVA_BYTE));
        }
    }

    /** Zstd in small inner chunks: what the device is for. */
    private SampleArray zstdArray() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        return write(NumericType.INT16, CodecSpec.bytes(), CodecSpec.zstd(3), CodecSpec.crc32c());
    }

    private SampleArray write(NumericType type, CodecSpec... inner) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(type, 120, 200)
                        .chunkShape(60, 100)
                        .codecs(List.of(CodecSpec.sharding(new long[] {10, 20}, inner)))
                        .build();
        return SampleArray.write(engine, folder.resolve("array"), metadata);
    }

    private static byte[] all(SampleArray sample) {
        return sample.expected(new BoxPositions(new long[2], sample.metadata().shape(), ones()));
    }

    private static long[] ones() {
        return new long[] {1, 1};
    }

    @Test
    void theDeviceDecodesZstd() {
        SampleArray sample = zstdArray();
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(all(sample), tensor);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertTrue(done.chunksDecoded() >= 100, done::toString);
            assertTrue(done.batches() < done.chunks(), done::toString);
            assertTrue(done.bytesCopied() < tensor.byteSize(), done::toString);
            assertTrue(array.hostReason(Selection.all()).isEmpty());
        }
    }

    /** Nothing is written beside the caller's memory, nor freed with the tensor. */
    @Test
    void readsToMemoryOfTheCallers() {
        SampleArray sample = zstdArray();
        byte[] expected = all(sample);
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor memory = array.readAsync(Selection.all(), DEVICE).join()) {
            Selection part = Selection.box(new long[] {5, 7}, new long[] {30, 41}, ones());
            long bytes = array.bytesOf(part);
            Target target = DEVICE.into(memory.pointer() + 64, bytes);
            try (DeviceTensor tensor = array.readAsync(part, target).join()) {
                assertEquals(memory.pointer() + 64, tensor.pointer());
                assertEquals(bytes, tensor.byteSize());
            }
            byte[] box =
                    sample.expected(
                            new BoxPositions(new long[] {5, 7}, new long[] {30, 41}, ones()));
            System.arraycopy(box, 0, expected, 64, box.length);
            assertHolds(expected, memory);
        }
    }

    @Test
    void refusesATargetThatDoesNotFit() {
        SampleArray sample = zstdArray();
        try (ZarrArray array = engine.openArray(sample.path())) {
            long bytes = array.bytesOf(Selection.all());
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> array.readAsync(Selection.all(), DEVICE.into(4096, bytes - 1)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> array.readAsync(Selection.all(), DEVICE.into(4097, bytes)));
            assertThrows(IllegalArgumentException.class, () -> Target.cuda(-1));
        }
    }

    /** Small parts go to the host first: the reason says so. */
    @Test
    void readsListedPositionsByWayOfTheHost() {
        SampleArray sample = zstdArray();
        try (ZarrEngine other = DeviceEngines.open(DeviceEngines.small(300));
                ZarrArray array = other.openArray(sample.path())) {
            Selection rows =
                    Selection.orthogonal(
                            DimensionSelection.indexes(7, 3, 3), DimensionSelection.all());
            assertTrue(array.hostReason(rows).orElseThrow().contains("listed"));
            try (DeviceTensor tensor = array.readAsync(rows, DEVICE).join();
                    HostTensor expected = array.read(rows)) {
                assertHolds(expected.segment().toArray(JAVA_BYTE), tensor);
            }
        }
    }

    @Test
    void aChunkThatIsDamagedIsReportedAndTheNextReadIsRight() throws IOException {
        SampleArray sample = zstdArray();
        Path file = sample.path().resolve("c/1/1");
        byte[] bytes = Files.readAllBytes(file);
        byte[] damaged = bytes.clone();
        for (int i = 0; i < 500; i++) {
            damaged[i] ^= 0x55;
        }
        Files.write(file, damaged);
        try (ZarrArray array = engine.openArray(sample.path())) {
            var failure =
                    assertThrows(
                            CompletionException.class,
                            () -> array.readAsync(Selection.all(), DEVICE).join());
            var cause = assertInstanceOf(CorruptChunkException.class, failure.getCause());
            assertTrue(cause.getMessage().contains("inner chunk"), cause::getMessage);
        }
        Files.write(file, bytes);
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(all(sample), tensor);
        }
    }

    /** Half of the reads are cancelled; the memory of all is given back. */
    @Test
    void cancelledReadsEndAndGiveTheirMemoryBack() {
        SampleArray sample = zstdArray();
        byte[] expected = all(sample);
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int round = 0; round < 20; round++) {
                List<CompletableFuture<DeviceTensor>> reads = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    reads.add(array.readAsync(Selection.all(), DEVICE));
                }
                for (int i = 0; i < 20; i += 2) {
                    reads.get(i).cancel(true);
                }
                for (int i = 0; i < 20; i++) {
                    endOf(reads.get(i), expected, i % 2 == 0);
                }
            }
        }
    }

    private static void endOf(
            CompletableFuture<DeviceTensor> read, byte[] expected, boolean isCancelled) {
        try (DeviceTensor tensor = read.join()) {
            assertHolds(expected, tensor);
        } catch (CancellationException e) {
            assertTrue(isCancelled);
        }
    }

    /** The batches shrink to fit, results share what they leave. */
    @Test
    void aResultBeyondTheBudgetIsRefused() {
        SampleArray sample = zstdArray();
        long budget = 48 << 20;
        List<DeviceTensor> tensors = new ArrayList<>();
        try (ZarrEngine small = ZarrEngine.builder().workers(2).deviceBudgetBytes(budget).open();
                ZarrArray array = small.openArray(sample.path())) {
            var failure =
                    assertThrows(
                            CompletionException.class,
                            () -> {
                                while (tensors.size() * array.bytesOf(Selection.all()) <= budget) {
                                    tensors.add(array.readAsync(Selection.all(), DEVICE).join());
                                }
                            });
            assertInstanceOf(BudgetExceededException.class, failure.getCause());
            tensors.removeLast().close();
            tensors.add(array.readAsync(Selection.all(), DEVICE).join());
            assertHolds(all(sample), tensors.getLast());
        } finally {
            tensors.forEach(DeviceTensor::close);
        }
    }

    /** Each read ends, well or with the engine's end; nothing hangs, nothing is left. */
    @Test
    void closingUnderLoadEndsEveryRead() {
        SampleArray sample = zstdArray();
        byte[] expected = all(sample);
        for (int round = 0; round < 10; round++) {
            ZarrEngine closed = DeviceEngines.open();
            ZarrArray array = closed.openArray(sample.path());
            List<CompletableFuture<DeviceTensor>> reads = new ArrayList<>();
            for (int i = 0; i < 10 * round + 1; i++) {
                reads.add(array.readAsync(Selection.all(), DEVICE));
            }
            closed.close();
            for (CompletableFuture<DeviceTensor> read : reads) {
                try (DeviceTensor tensor = read.join()) {
                    assertHolds(expected, tensor); // A tensor outlives its engine.
                } catch (CompletionException e) {
                    assertInstanceOf(EngineClosedException.class, e.getCause());
                }
            }
            array.close();
        }
    }

    /** One zstd decoder a device: the second engine's workers decode. */
    @Test
    void twoEnginesShareADevice() {
        SampleArray sample = zstdArray();
        try (ZarrEngine other = DeviceEngines.open();
                ZarrArray array = engine.openArray(sample.path());
                ZarrArray others = other.openArray(sample.path());
                DeviceTensor first = array.readAsync(Selection.all(), DEVICE).join();
                DeviceTensor second = others.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(all(sample), first);
            assertHolds(all(sample), second);
            assertEquals(0, other.deviceMetrics(0).chunksDecoded());
        }
    }

    /** The struct as dlpack.h lays it out. */
    @Test
    void hasADlpackView() {
        SampleArray sample = zstdArray();
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            MemorySegment view = tensor.toDlpack();
            assertEquals(64, view.byteSize());
            assertEquals(tensor.pointer(), view.get(JAVA_LONG, 0));
            assertEquals(2, view.get(JAVA_INT, 8)); // kDLCUDA
            assertEquals(0, view.get(JAVA_INT, 12));
            assertEquals(2, view.get(JAVA_INT, 16)); // dimensions
            assertEquals(0x0001_1000, view.get(JAVA_INT, 20)); // int, 16 bits, 1 lane
            assertEquals(view.get(JAVA_LONG, 24) + 16, view.get(JAVA_LONG, 32)); // strides
            assertEquals(0, view.get(JAVA_LONG, 40) | view.get(JAVA_LONG, 56));
            assertArrayEquals(new long[] {200, 1}, tensor.strides());
        }
    }
}
