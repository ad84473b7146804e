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

/** What reads to a GPU promise whichever way they go, against elements computed one by one. */
@NeedsDevice
abstract class DeviceReadContract {
    static final Target DEVICE = Target.cuda(0);

    private final DeviceOptions options;

    @TempDir Path folder;

    ZarrEngine engine;

    /** {@code options} decide which way reads go. */
    DeviceReadContract(DeviceOptions options) {
        this.options = options;
    }

    @BeforeEach
    void open() throws IOException {
        engine = DeviceEngines.open(options);
    }

    @AfterEach
    void close() {
        if (engine != null) { // Not where opening it was given up.
            engine.close();
        }
    }

    /**
     * Of all layouts and types; many boxes at once, of which each batch holds chunks of several.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void readsWhatWasWritten(long seed) {
        RandomMetadata arrays = new RandomMetadata(new SplittableRandom(seed));
        SampleArray sample = write(arrays.next());
        assertReads(sample, boxes(arrays, sample));
    }

    /** Its kernels would end the device for all reads; what the memory holds stays. */
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
