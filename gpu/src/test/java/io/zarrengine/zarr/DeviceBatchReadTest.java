package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares reads of several parts of a chunk to a GPU with reads to the host. */
@NeedsDevice
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DeviceBatchReadTest {
    private static final Target DEVICE = Target.cuda(0);

    private ZarrEngine engine;

    @BeforeAll
    void open() {
        engine = DeviceEngines.open();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void readsWhatSingleReadsDo(long seed, @TempDir Path folder) {
        SplittableRandom random = new SplittableRandom(seed);
        ArrayMetadata metadata = new RandomMetadata(random).next();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int i = 0; i < 8; i++) {
                List<Selection> selections = BatchReadTest.randomSelections(random, array.shape());
                try (DeviceTensor tensor = array.readAsync(selections, DEVICE).join()) {
                    assertHolds(SingleReads.oneByOne(array, selections), tensor);
                }
            }
        }
    }

    private SampleArray zstdArray(Path folder) {
        return SampleArray.writeZstdShards(engine, folder.resolve("array"), NumericType.INT32);
    }

    /** 40 boxes are more parts than one chunk may have: it goes three times. */
    @Test
    void decodesAChunkOnceForSeveralBoxes(@TempDir Path folder) {
        SampleArray sample = zstdArray(folder);
        try (ZarrArray array = engine.openArray(sample.path())) {
            Selection box = Selection.of("5:35, 10:90");
            long once = decodedBy(array, List.of(box));
            assertEquals(20, once);
            assertEquals(once, decodedBy(array, Collections.nCopies(16, box)));
            assertEquals(3 * once, decodedBy(array, Collections.nCopies(40, box)));
        }
    }

    private long decodedBy(ZarrArray array, List<Selection> selections) {
        long before = engine.deviceMetrics(0).chunksDecoded();
        try (DeviceTensor tensor = array.readAsync(selections, DEVICE).join()) {
            assertHolds(SingleReads.oneByOne(array, selections), tensor);
        }
        return engine.deviceMetrics(0).chunksDecoded() - before;
    }

    /** Each chunk contains about 75 of the points, more than one chunk may have as parts. */
    @Test
    void putsManyPointsOfAChunkInTheirPlaces(@TempDir Path folder) {
        SampleArray sample = zstdArray(folder);
        SplittableRandom random = new SplittableRandom(1);
        Selection points =
                Selection.points(
                        random.longs(300, 0, 20).toArray(), random.longs(300, 0, 40).toArray());
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(points, DEVICE).join()) {
            assertTrue(array.hostReason(points).isEmpty());
            assertHolds(SingleReads.oneByOne(array, List.of(points)), tensor);
        }
    }

    /** A caller that closes the tensor too early gets an exception, and closes it again. */
    @Test
    void aTensorWhoseViewANativeCallUsesStaysOpen(@TempDir Path folder) throws Exception {
        SampleArray sample = zstdArray(folder);
        try (ZarrArray array = engine.openArray(sample.path())) {
            DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join();
            MemorySegment view = tensor.toDlpack();
            try (NativeUse _ = NativeUse.of(view)) {
                assertThrows(IllegalStateException.class, tensor::close);
                assertHolds(sample.all(), tensor);
            }
            tensor.close();
            assertFalse(view.scope().isAlive());
            assertThrows(IllegalStateException.class, tensor::toDlpack);
            assertThrows(IllegalStateException.class, tensor::close);
        }
    }

    @Test
    void theFirstDimensionCountsSelectionsOfOneShape(@TempDir Path folder) {
        SampleArray sample = zstdArray(folder);
        Selection box = Selection.of("5:35, 10:90");
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertShape(new long[] {2, 30, 80}, array, box, box);
            assertShape(new long[] {1, 30, 80}, array, box);
            assertShape(new long[] {2401}, array, box, Selection.of("0:1, 0:1"));
            assertShape(new long[] {0}, array);
        }
    }

    private static void assertShape(long[] expected, ZarrArray array, Selection... selections) {
        try (DeviceTensor tensor = array.readAsync(List.of(selections), DEVICE).join()) {
            assertArrayEquals(expected, tensor.shape());
            assertEquals(4 * LongStream.of(expected).reduce(1, (a, b) -> a * b), tensor.byteSize());
        }
    }

    @Test
    void refusesWhatDoesNotFit(@TempDir Path folder) {
        SampleArray sample = zstdArray(folder);
        try (ZarrArray array = engine.openArray(sample.path())) {
            List<Selection> all = Collections.nCopies(2, Selection.all());
            Target tooSmall = DEVICE.into(4096, array.bytesOf(all) - 1);
            assertThrows(IndexOutOfBoundsException.class, () -> array.readAsync(all, tooSmall));
            List<Selection> outside = Stream.of("0:1", "99999").map(Selection::of).toList();
            assertThrows(IndexOutOfBoundsException.class, () -> array.readAsync(outside, DEVICE));
        }
    }
}
