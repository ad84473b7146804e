package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.gpu.CudaProvider;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Reads to a GPU that decodes the chunks. */
final class DeviceReadTest extends DeviceReadContract {
    DeviceReadTest() {
        super(DeviceEngines.SMALL);
    }

    private SampleArray zstdArray() {
        return SampleArray.writeZstdShards(engine, folder.resolve("array"), NumericType.INT16);
    }

    private static long[] ones() {
        return new long[] {1, 1};
    }

    @Test
    void theDeviceDecodesZstd() {
        SampleArray sample = zstdArray();
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(sample.all(), tensor);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertTrue(done.chunksDecoded() >= 100, done::toString);
            assertTrue(done.batches() < done.chunks(), done::toString);
            assertTrue(done.bytesCopied() < tensor.byteSize(), done::toString);
            assertTrue(array.hostReason(Selection.all()).isEmpty());
        }
    }

    /** Nothing is written outside the caller's memory, and closing the tensor does not free it. */
    @Test
    void readsToMemoryOfTheCallers() {
        SampleArray sample = zstdArray();
        byte[] expected = sample.all();
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor memory = array.readAsync(Selection.all(), DEVICE).join()) {
            Selection part = Selection.box(new long[] {5, 7}, new long[] {30, 41}, ones());
            long bytes = array.bytesOf(part);
            Target target = DEVICE.into(memory.pointer() + 64, bytes);
            try (DeviceTensor tensor = array.readAsync(part, target).join()) {
                assertEquals(memory.pointer() + 64, tensor.pointer());
                assertTrue(memory.ownsMemory());
                assertFalse(tensor.ownsMemory());
                assertEquals(bytes, tensor.byteSize());
            }
            try (DeviceTensor none = array.readAsync(Selection.of("0:0, :"), target).join()) {
                assertFalse(none.ownsMemory());
                assertEquals(target.memory().pointer(), none.pointer());
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

    /** Small parts go to the host first, and the reason is reported. */
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
        try (DamagedFile _ = new DamagedFile(sample.path().resolve("c/1/1"));
                ZarrArray array = engine.openArray(sample.path())) {
            var failure =
                    assertThrows(
                            CompletionException.class,
                            () -> array.readAsync(Selection.all(), DEVICE).join());
            var cause = assertInstanceOf(CorruptChunkException.class, failure.getCause());
            assertTrue(cause.getMessage().contains("inner chunk"), cause::getMessage);
        }
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(sample.all(), tensor);
        }
    }

    /** Half of the reads are cancelled. The memory of all is given back. */
    @Test
    void cancelledReadsEndAndGiveTheirMemoryBack() {
        SampleArray sample = zstdArray();
        byte[] expected = sample.all();
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

    /** The batches shrink to fit, and results share the rest of the budget. */
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
            assertHolds(sample.all(), tensors.getLast());
        } finally {
            tensors.forEach(DeviceTensor::close);
        }
    }

    /** Each read succeeds or fails with the engine's closing. None hangs, and no memory is left. */
    @Test
    void closingUnderLoadEndsEveryRead() {
        SampleArray sample = zstdArray();
        byte[] expected = sample.all();
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
                    assertInstanceOf(ClosedException.class, e.getCause());
                }
            }
            array.close();
        }
    }

    /**
     * An open result keeps the device thread running. A result that cannot be closed any more must
     * not.
     */
    @Test
    void aForgottenTensorIsFreedWithTheEngine() throws InterruptedException {
        SampleArray sample = zstdArray();
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (ZarrEngine forgetful = DeviceEngines.open();
                ZarrArray array = forgetful.openArray(sample.path())) {
            array.readAsync(Selection.all(), DEVICE).join();
            System.gc();
            array.readAsync(Selection.all(), DEVICE).join().close();
        }
        Set<Thread> left = threadsBeside(before);
        for (int i = 0; i < 500 && !left.isEmpty(); i++) {
            System.gc();
            Thread.sleep(20);
            left = threadsBeside(before);
        }
        assertEquals(Set.of(), left);
    }

    private static Set<Thread> threadsBeside(Set<Thread> others) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !others.contains(thread))
                .filter(thread -> thread.getName().contains("cuda"))
                .collect(Collectors.toSet());
    }

    /** For example an engine that reads around the page cache, and one that does not. */
    @Test
    void twoEnginesShareADevice() {
        SampleArray sample = zstdArray();
        byte[] expected = sample.all();
        try (ZarrEngine other = DeviceEngines.open(DeviceEngines.SMALL);
                ZarrArray array = engine.openArray(sample.path());
                ZarrArray same = other.openArray(sample.path())) {
            for (int round = 0; round < 10; round++) {
                CompletableFuture<DeviceTensor> first = array.readAsync(Selection.all(), DEVICE);
                try (DeviceTensor second = same.readAsync(Selection.all(), DEVICE).join();
                        DeviceTensor tensor = first.join()) {
                    assertHolds(expected, second);
                    assertHolds(expected, tensor);
                }
            }
            assertTrue(engine.deviceMetrics(0).chunksDecoded() >= 1000, "by the device");
            assertTrue(other.deviceMetrics(0).chunksDecoded() >= 1000, "for the second one, too");
        }
    }

    /** The struct has the layout of dlpack.h. */
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

    /** The device only places the elements that a worker has decoded. */
    @Test
    void whatNoChecksumVouchesForIsDecodedByTheHostIfThatIsAskedFor() {
        engine.close();
        engine =
                ZarrEngine.builder()
                        .workers(2)
                        .deviceProvider(new CudaProvider(DeviceEngines.SMALL))
                        .decodeUncheckedOnDevices(false)
                        .open();
        SampleArray checked =
                SampleArray.writeZstdShards(engine, folder.resolve("checked"), NumericType.INT16);
        SampleArray unchecked =
                SampleArray.writeShards(
                        engine,
                        folder.resolve("unchecked"),
                        NumericType.INT16,
                        CodecSpec.bytes(),
                        CodecSpec.zstd(3));
        SampleArray plain =
                SampleArray.writeShards(
                        engine, folder.resolve("plain"), NumericType.INT16, CodecSpec.bytes());
        for (SampleArray sample : List.of(unchecked, plain)) {
            assertReadsAll(sample);
            assertEquals(0, engine.deviceMetrics(0).chunksDecoded());
        }
        String reason = "no checksum says that they are undamaged";
        assertEquals(Set.of(reason), engine.deviceMetrics(0).chunksDecodedByHost().keySet());
        assertReadsAll(checked);
        assertTrue(engine.deviceMetrics(0).chunksDecoded() > 0);
    }

    private void assertReadsAll(SampleArray sample) {
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertTrue(tensor.hostReason().isEmpty());
            assertHolds(sample.all(), tensor);
        }
    }
}
