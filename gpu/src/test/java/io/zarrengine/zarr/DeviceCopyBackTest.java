package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies results of a GPU to the host, through 8 slots of 256 KiB. */
@NeedsDevice
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DeviceCopyBackTest {
    private static final Target DEVICE = Target.cuda(0);
    private static final int THREADS = 24; // three for each slot

    @TempDir private Path folder;
    private ZarrEngine engine;
    private SampleArray sample;
    private byte[] expected;
    private ZarrArray array;

    @BeforeEach
    void open() {
        engine = DeviceEngines.open();
        sample = SampleArray.write(engine, folder.resolve("array"), metadata());
        expected = sample.all();
        array = engine.openArray(sample.path());
    }

    /** 1.3 MB: several slots, the last one not full. */
    private static ArrayMetadata metadata() {
        return ArrayMetadata.builder(NumericType.INT16, 811, 800)
                .chunkShape(100, 800)
                .codecs(List.of(CodecSpec.bytes()))
                .build();
    }

    @AfterEach
    void close() {
        if (array != null) {
            array.close();
        }
        if (engine != null) {
            engine.close();
        }
    }

    private DeviceTensor read() {
        return array.readAsync(Selection.all(), DEVICE).join();
    }

    /** If each thread held one slot and waited for a second one, all would wait for ever. */
    @Test
    void moreThreadsThanSlotsCopyAtOnce() throws Exception {
        try (DeviceTensor tensor = read()) {
            inThreads(() -> {
                for (int i = 0; i < 10; i++) {
                    assertHolds(expected, tensor);
                }
                return null;
            });
        }
    }

    private static void inThreads(Callable<Void> task) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Void>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                ends.add(threads.submit(task));
            }
            for (Future<Void> end : ends) {
                end.get(60, TimeUnit.SECONDS);
            }
        }
    }

    /** Its memory may belong to another result by then. */
    @Test
    void aClosedTensorIsNotCopied() {
        DeviceTensor tensor = read();
        tensor.close();
        assertThrows(IllegalStateException.class, tensor::toHost);
        try (Arena arena = Arena.ofConfined()) {
            var target = arena.allocate(expected.length);
            assertThrows(IllegalStateException.class, () -> tensor.copyTo(target));
        }
    }

    /** Every copy that has begun is right: new results do not get the memory before it ends. */
    @Test
    void closingWaitsForNoCopyAndHarmsNone() throws Exception {
        Path path = folder.resolve("zeros");
        engine.createArray(path, metadata());
        try (ZarrArray zeros = engine.openArray(path)) {
            for (int round = 0; round < 10; round++) {
                DeviceTensor tensor = read();
                CountDownLatch begun = new CountDownLatch(THREADS);
                try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                    List<Future<IllegalStateException>> ends = new ArrayList<>();
                    for (int i = 0; i < THREADS; i++) {
                        ends.add(threads.submit(() -> copyUntilClosed(tensor, begun)));
                    }
                    begun.await();
                    tensor.close();
                    zeros.readAsync(Selection.all(), DEVICE).join().close(); // in the same memory
                    for (var end : ends) {
                        assertNotNull(end.get(60, TimeUnit.SECONDS));
                    }
                }
            }
        }
    }

    private IllegalStateException copyUntilClosed(DeviceTensor tensor, CountDownLatch begun) {
        while (true) {
            try {
                assertHolds(expected, tensor);
            } catch (IllegalStateException e) {
                return e;
            } finally {
                begun.countDown();
            }
        }
    }

    /** A result in its own memory keeps the device thread running; the caller's memory does not. */
    @Test
    void afterTheEngineOnlyItsOwnMemoryIsCopied() {
        try (ZarrEngine other = DeviceEngines.open();
                ZarrArray others = other.openArray(sample.path());
                DeviceTensor memory = others.readAsync(Selection.all(), DEVICE).join()) {
            DeviceTensor own = read();
            DeviceTensor callers =
                    array.readAsync(
                                    Selection.all(),
                                    DEVICE.into(memory.pointer(), memory.byteSize()))
                            .join();
            array.close();
            engine.close();
            assertHolds(expected, own);
            assertThrows(ClosedException.class, callers::toHost);
            assertEquals(memory.pointer(), callers.pointer());
            callers.close();
            own.close();
            assertHolds(expected, memory);
        }
        array = null;
        engine = null;
    }
}
