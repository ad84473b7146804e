package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.LoaderBuilder;
import io.zarrengine.zarr.loader.LoaderState;
import io.zarrengine.zarr.loader.Sampler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
                    assertHolds(BatchReadTest.oneByOne(array, batch), tensor);
                    step++;
                    last = tensor;
                }
            }
            assertEquals(9, step);
            DeviceTensor closed = last;
            assertThrows(IllegalStateException.class, closed::toHost);
        }
    }

    /** The device has room for two tensors. Further requests fail, and nothing is lost. */
    @Test
    void readsAheadWhatTheDeviceHasRoomFor(@TempDir Path folder) {
        try (ZarrEngine engine = DeviceEngines.open()) {
            SampleArray sample =
                    SampleArray.writeZstdShards(engine, folder.resolve("a"), NumericType.INT32);
            int bytes = sample.all().length;
            int batch = (96 << 20) / bytes;
            Sampler all = Sampler.of(Collections.nCopies(4 * batch, Selection.all()));
            try (ZarrArray array = engine.openArray(sample.path())) {
                LoaderBuilder options = Loader.of(array, all).batch(batch);
                try (Loader<DeviceTensor> loader = options.prefetch(3).open(DEVICE)) {
                    Iterator<Batch<DeviceTensor>> tensors = loader.iterator();
                    assertEquals((long) batch * bytes, tensors.next().tensor().byteSize());
                    assertEquals((long) batch * bytes, tensors.next().tensor().byteSize());
                    assertThrows(BudgetExceededException.class, tensors::next);
                }
                int count = 0;
                try (Loader<DeviceTensor> loader = options.prefetch(1).open(DEVICE)) {
                    for (Batch<DeviceTensor> one : loader) {
                        assertEquals((long) batch * bytes, one.tensor().byteSize());
                        count++;
                    }
                }
                assertEquals(4, count);
            }
        }
    }
}
