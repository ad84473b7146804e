package io.zarrengine.zarr.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.DeviceEngines;
import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.DeviceTransforms;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kernels on a GPU: each transform of two samples at once, as two channels. Fails also if a sample
 * or a channel is at another place.
 */
@Tag("gpu")
final class DeviceKernelTest extends KernelContract {
    @TempDir private static Path folder;
    private static ZarrEngine engine;
    private static int arrays;
    private static int computed; // not refused
    private final KernelTest host = new KernelTest();

    @BeforeAll
    static void open() {
        DeviceEngines.needDevice();
        engine = DeviceEngines.open();
    }

    @AfterAll
    static void close() {
        if (engine != null) {
            engine.close();
            assertTrue(computed > 500, computed + " transforms");
        }
    }

    @Override
    long[] run(Transform transform, NumericType type, long[] shape, long... bits) {
        long[] batch = batch(shape);
        ArrayMetadata metadata = ArrayMetadata.builder(type, batch).chunkShape(batch).build();
        Path path = folder.resolve("a" + arrays++);
        engine.createArray(path, metadata)
                .writeAll((_, elements) -> {
                    for (int i = 0; i < bits.length; i++) {
                        set(type, elements, i, ~bits[i]);
                        set(type, elements, bits.length + i, bits[i]);
                    }
                });
        Kernel kernel = Kernel.of(transform, type, shape);
        NumericType result = transform.typeAfter(type);
        int count = ReferenceTransform.count(transform.shapeAfter(shape));
        long[] results;
        try (ZarrArray array = engine.openArray(path);
                DeviceTensor read = array.readAsync(Selection.all(), Target.cuda(0)).join();
                DeviceTensor both = start(kernel, read, result, count);
                HostTensor copy = both.toHost()) {
            assertTrue(both.hostReason().isEmpty());
            results =
                    IntStream.range(0, 4 * count)
                            .mapToLong(i -> get(result, copy.segment(), i))
                            .toArray();
        } catch (CompletionException e) {
            assertTrue(e.getMessage().contains("a transform on a GPU has at most"), e::getMessage);
            return host.run(transform, type, shape, bits);
        }
        computed++;
        long[] last = LongStream.of(results).skip(3L * count).toArray();
        long[] before = LongStream.of(results).skip(2L * count).limit(count).toArray();
        assertArrayEquals(last, before, "the channels of a sample");
        return last;
    }

    private static long[] batch(long[] shape) {
        return LongStream.concat(LongStream.of(2), LongStream.of(shape)).toArray();
    }

    private static DeviceTensor start(
            Kernel kernel, DeviceTensor read, NumericType result, int count) {
        return DeviceTransforms.start(
                        List.of(kernel, kernel),
                        List.of(read, read),
                        result,
                        new long[] {2, 2, count},
                        Target.cuda(0))
                .join();
    }
}
