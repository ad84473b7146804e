package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.BudgetExceededException;
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
final class DeviceSliceLoaderTest {
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
            LoaderOptions options = LoaderOptions.prefetch(random.nextInt(4)).batch(8).from(1);
            int step = 1;
            DeviceTensor last = null;
            try (ZarrArray array = engine.openArray(sample.path());
                    var loader = array.loader(Slices.of(crops), options, DEVICE)) {
                for (DeviceTensor tensor : loader) {
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
            Slices slices = Slices.of(Collections.nCopies(4 * batch, Selection.all()));
            LoaderOptions options = LoaderOptions.prefetch(1).batch(batch);
            try (ZarrArray array = engine.openArray(sample.path())) {
                try (var loader =
                        array.loader(slices, LoaderOptions.prefetch(3).batch(batch), DEVICE)) {
                    Iterator<DeviceTensor> tensors = loader.iterator();
                    assertEquals((long) batch * bytes, tensors.next().byteSize());
                    assertEquals((long) batch * bytes, tensors.next().byteSize());
                    assertThrows(BudgetExceededException.class, tensors::next);
                }
                int count = 0;
                try (var loader = array.loader(slices, options, DEVICE)) {
                    for (DeviceTensor tensor : loader) {
                        assertEquals((long) batch * bytes, tensor.byteSize());
                        count++;
                    }
                }
                assertEquals(4, count);
            }
        }
    }
}
