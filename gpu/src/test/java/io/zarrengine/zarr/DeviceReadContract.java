package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static io.zarrengine.zarr.DeviceTensors.assertReadsAll;
import static io.zarrengine.zarr.DeviceTensors.assertRefuses;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of reads to a GPU on every path, compared with elements computed one by one. */
@NeedsDevice
abstract class DeviceReadContract {
    static final Target DEVICE = Target.cuda(0);

    private final DeviceOptions options;

    @TempDir Path folder;

    ZarrEngine engine;

    /** {@code options} determine the path of the reads. */
    DeviceReadContract(DeviceOptions options) {
        this.options = options;
    }

    @BeforeEach
    void open() throws IOException {
        engine = DeviceEngines.open(options);
    }

    @AfterEach
    void close() {
        if (engine != null) { // null if opening it was skipped
            engine.close();
        }
    }

    /**
     * Reads all layouts and types, in many boxes at once, so that each batch has chunks of several
     * reads.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void readsWhatWasWritten(long seed) {
        RandomMetadata arrays = new RandomMetadata(new SplittableRandom(seed));
        SampleArray sample = write(arrays.next());
        assertReads(sample, boxes(arrays, sample));
    }

    /**
     * A kernel that wrote there would break the device for all reads. The memory keeps its content.
     */
    @Test
    void refusesMemoryThatTheDeviceCannotWriteTo() {
        SampleArray sample =
                write(ArrayMetadata.builder(NumericType.INT16, 64, 64).chunkShape(64, 64).build());
        byte[] expected = sample.all();
        try (ZarrArray array = engine.openArray(sample.path());
                Arena arena = Arena.ofShared()) {
            MemorySegment hosts = arena.allocate(expected.length, 512);
            for (Target target : List.of(DEVICE.into(hosts), DEVICE.into(4096, expected.length))) {
                assertRefuses(array, target, "not memory of a device");
            }
            assertArrayEquals(new byte[expected.length], hosts.toArray(JAVA_BYTE));
            assertReadsAll(array, expected);
        }
    }

    SampleArray write(ArrayMetadata metadata) {
        return SampleArray.write(engine, folder.resolve("array"), metadata);
    }

    static List<BoxPositions> boxes(RandomMetadata arrays, SampleArray sample) {
        return Stream.generate(() -> arrays.box(sample.metadata().shape())).limit(12).toList();
    }

    void assertReads(SampleArray sample, List<BoxPositions> boxes) {
        try (ZarrArray array = engine.openArray(sample.path())) {
            List<CompletableFuture<DeviceTensor>> reads =
                    boxes.stream().map(box -> array.readAsync(box.selection(), DEVICE)).toList();
            for (int i = 0; i < boxes.size(); i++) {
                try (DeviceTensor tensor = reads.get(i).join()) {
                    assertHolds(sample.expected(boxes.get(i)), tensor);
                }
            }
        }
    }
}
