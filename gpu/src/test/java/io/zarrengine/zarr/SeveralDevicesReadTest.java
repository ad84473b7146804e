package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static io.zarrengine.zarr.DeviceTensors.assertRefuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.cuda.CudaRuntime;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares reads to two GPUs at once with reads to the host. */
@NeedsDevice
@Timeout(120)
final class SeveralDevicesReadTest {
    private static final List<Target> BOTH = List.of(Target.cuda(0), Target.cuda(1));

    /** 16 MiB of each device, of which batches take up to 2. */
    private static final DeviceOptions SMALL =
            new DeviceOptions(16L << 20, 8, 256 << 10, 64, 1L << 20, 0, 0, 0, true, false);

    @TempDir Path folder;

    private ZarrEngine engine;
    private ZarrArray array;

    @BeforeEach
    void writeArray() {
        assumeTrue(
                CudaRuntime.status() instanceof CudaRuntime.Status.Usable usable
                        && usable.devices() > 1,
                "there is one device");
        engine = DeviceEngines.open();
        SampleArray sample =
                SampleArray.writeZstdShards(engine, folder.resolve("array"), NumericType.INT32);
        array = engine.openArray(sample.path());
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    /** A read fails if one device uses memory, a stream or an event of the other. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void devicesDoNotDisturbEachOther(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Selection>> selections = new ArrayList<>();
        List<CompletableFuture<DeviceTensor>> reads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            selections.add(BatchReadTest.randomSelections(random, array.shape()));
            reads.add(array.readAsync(selections.get(i), BOTH.get(random.nextInt(2))));
        }
        for (int i = 0; i < reads.size(); i++) {
            try (DeviceTensor tensor = reads.get(i).join()) {
                assertHolds(SingleReads.oneByOne(array, selections.get(i)), tensor);
            }
        }
        for (int device = 0; device < 2; device++) {
            assertTrue(engine.deviceMetrics(device).chunksDecoded() > 0, "device " + device);
        }
    }

    @Test
    void selectionsAreSharedOutInOrder() {
        List<Selection> boxes = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            boxes.add(Selection.of(i + ":" + (i + 50) + ", 30:90"));
        }
        List<DeviceTensor> tensors = array.readAsync(boxes, BOTH).join();
        assertEquals(2, tensors.size());
        assertHolds(SingleReads.oneByOne(array, boxes.subList(0, 3)), tensors.get(0));
        assertHolds(SingleReads.oneByOne(array, boxes.subList(3, 7)), tensors.get(1));
        assertArrayEquals(new long[] {4, 50, 60}, tensors.get(1).shape());
        assertEquals(0, tensors.get(0).device());
        assertEquals(1, tensors.get(1).device());
        tensors.forEach(DeviceTensor::close);
        assertThrows(
                IllegalArgumentException.class, () -> array.readAsync(boxes.subList(0, 1), BOTH));
        assertThrows(IllegalArgumentException.class, () -> array.readAsync(boxes, List.of()));
    }

    /** Tensors that no caller receives would fill the device budget. */
    @Test
    void ifOneReadFailsNothingIsLeft() throws Exception {
        Path damaged = array.path().resolve("c/1/1");
        byte[] shard = Files.readAllBytes(damaged);
        Arrays.fill(shard, shard.length / 4, shard.length / 2, (byte) 0xFF);
        engine.close();
        Files.write(damaged, shard);
        Files.delete(array.path().resolve("c/0/0")); // fill values arrive at once
        engine = DeviceEngines.open(SMALL);
        array = engine.openArray(array.path());
        List<Selection> soon = Collections.nCopies(100, Selection.of("0:60, 0:100"));
        List<Selection> late = Collections.nCopies(100, Selection.all());
        List<Selection> boxes = Stream.concat(soon.stream(), late.stream()).toList();
        for (int round = 0; round < 20; round++) {
            List<Selection> order = round % 2 == 0 ? boxes : boxes.reversed();
            CompletionException e =
                    assertThrows(
                            CompletionException.class, () -> array.readAsync(order, BOTH).join());
            assertInstanceOf(CorruptChunkException.class, e.getCause());
        }
        for (Target target : BOTH) {
            try (DeviceTensor tensor = array.readAsync(soon, target).join()) {
                assertHolds(SingleReads.oneByOne(array, soon), tensor);
            }
        }
    }

    @Test
    void memoryOfTheOtherDeviceIsRefused() {
        try (DeviceTensor others = array.readAsync(Selection.all(), Target.cuda(1)).join()) {
            Target target = Target.cuda(0).into(others.pointer(), others.byteSize());
            assertRefuses(array, target, "is memory of device 1");
            assertHolds(SingleReads.oneByOne(array, List.of(Selection.all())), others);
        }
    }

    /** A timeout behaves as for reads to the host: nothing is written after it is reported. */
    @Test
    void aReadThatTakesTooLongIsGivenUp() {
        List<Selection> boxes = List.of(Selection.all(), Selection.all());
        CompletableFuture<List<DeviceTensor>> read = array.readAsync(boxes, BOTH);
        try {
            read.orTimeout(0, TimeUnit.NANOSECONDS).join().forEach(DeviceTensor::close);
        } catch (CompletionException e) {
            assertInstanceOf(TimeoutException.class, e.getCause());
        }
    }

    /**
     * The reads that had begun are over then, and nothing writes to the caller's memory any more.
     */
    @Test
    void aReadThatCannotBeginLeavesNothing() {
        List<Selection> boxes = List.of(Selection.of("0:10, 0:10"), Selection.all());
        List<Target> targets = List.of(Target.cuda(0), Target.cuda(1).into(4096, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> array.readAsync(boxes, targets).join());
    }
}
