package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.LoaderState;
import io.zarrengine.zarr.loader.Sampler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares batches of crops on a GPU, step by step, with single reads to the host. */
@NeedsDevice
final class DeviceLoaderTest {
    private static final Target DEVICE = Target.cuda(0);

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void readsWhatSingleReadsDo(long seed, @TempDir Path folder) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Selection> crops = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            long[] corner = {random.nextLong(120 - 30), random.nextLong(200 - 50)};
            crops.add(Selection.box(corner, new long[] {30, 50}));
        }
        try (ZarrEngine engine = DeviceEngines.open()) {
            SampleArray sample =
                    SampleArray.writeZstdShards(engine, folder.resolve("a"), NumericType.INT32);
            int prefetch = random.nextInt(4);
            int step = 1;
            DeviceTensor last = null;
            try (ZarrArray array = engine.openArray(sample.path());
                    Loader<DeviceTensor> loader =
                            Loader.of(array, Sampler.of(crops))
                                    .prefetch(prefetch)
                                    .batch(8)
                                    .from(new LoaderState(0, 8))
                                    .open(DEVICE)) {
                for (Batch<DeviceTensor> one : loader) {
                    DeviceTensor tensor = one.tensor();
                    List<Selection> batch = crops.subList(8 * step, Math.min(70, 8 * step + 8));
                    assertArrayEquals(new long[] {batch.size(), 30, 50}, tensor.shape());
                    assertHolds(SingleReads.oneByOne(array, batch), tensor);
                    step++;
                    last = tensor;
                }
            }
            assertEquals(9, step);
            DeviceTensor closed = last;
            assertThrows(IllegalStateException.class, closed::toHost);
        }
    }

    /**
     * Fault: a batch for which there was no room when it was read ahead fails when there is some.
     * The device has room for two, of which the loop has one.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void readsAheadWhatTheDeviceHasRoomFor(int prefetch, @TempDir Path folder) {
        try (ZarrEngine engine = DeviceEngines.open()) {
            SampleArray sample =
                    SampleArray.writeZstdShards(engine, folder.resolve("a"), NumericType.INT32);
            int bytes = sample.all().length;
            int batch = (96 << 20) / bytes;
            Sampler all = Sampler.of(Collections.nCopies(4 * batch, Selection.all()));
            try (ZarrArray array = engine.openArray(sample.path());
                    Loader<DeviceTensor> loader =
                            Loader.of(array, all).batch(batch).prefetch(prefetch).open(DEVICE)) {
                int count = 0;
                for (Batch<DeviceTensor> one : loader) {
                    assertEquals((long) batch * bytes, one.tensor().byteSize());
                    count++;
                }
                assertEquals(4, count);
            }
        }
    }

    /** Two batches in use leave no room for a third; the step is not lost. */
    @Test
    void failsForLackOfRoom(@TempDir Path folder) {
        try (ZarrEngine engine = DeviceEngines.open()) {
            SampleArray sample =
                    SampleArray.writeZstdShards(engine, folder.resolve("a"), NumericType.INT32);
            int batch = (96 << 20) / sample.all().length;
            Sampler all = Sampler.of(Collections.nCopies(4 * batch, Selection.all()));
            try (ZarrArray array = engine.openArray(sample.path());
                    Loader<DeviceTensor> loader = Loader.of(array, all).batch(batch).open(DEVICE)) {
                try (Batch<DeviceTensor> _ = loader.take();
                        Batch<DeviceTensor> _ = loader.take()) {
                    for (int i = 0; i < 2; i++) {
                        assertThrows(BudgetExceededException.class, loader::take);
                    }
                }
                for (int step = 2; step < 4; step++) {
                    try (Batch<DeviceTensor> third = loader.take()) {
                        assertEquals((long) step * batch, third.samples()[0]);
                    }
                }
            }
        }
    }
}
