package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;

import io.zarrengine.zarr.device.DeviceOptions;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
