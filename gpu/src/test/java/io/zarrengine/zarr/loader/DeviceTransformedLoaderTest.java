package io.zarrengine.zarr.loader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.DeviceEngines;
import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.SampleArray;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.transform.Transform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Batches that are computed on a GPU are those that the CPU computes. Fails if a tensor is of other
 * samples or arrays, or if a failure keeps memory of the GPU.
 */
@Tag("gpu")
final class DeviceTransformedLoaderTest {
    private static final Target DEVICE = Target.cuda(0);

    @TempDir private Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        DeviceEngines.needDevice();
        engine = DeviceEngines.open();
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    private ZarrArray write(String name, NumericType type) {
        SampleArray sample =
                SampleArray.writeShards(engine, folder.resolve(name), type, CodecSpec.bytes());
        return engine.openArray(sample.path());
    }

    /** All steps have exact results, so the batches are equal bit by bit. */
    @Test
    void computesWhatTheCpuDoes() {
        Transform half = Transform.identity().scale(0.5, 1).mean(2, 2).flip(1).permute(1, 0);
        SequencedMap<String, Transform> channels = new LinkedHashMap<>();
        channels.put("v", half.cast(NumericType.BFLOAT16));
        channels.put("u", half.clip(-900, 900).cast(NumericType.BFLOAT16));
        try (ZarrArray u = write("u", NumericType.INT16);
                ZarrArray v = write("v", NumericType.UINT8)) {
            LoaderBuilder options =
                    Loader.of(
                                    Map.of("u", u, "v", v),
                                    Sampler.sliding(
                                            u.shape(), new long[] {60, 100}, new long[] {20, 20}))
                            .batch(4)
                            .shuffle(7)
                            .output("mask", "u", Transform.identity().missing(0).isMissing())
                            .stack("x", channels);
            try (Loader<HostTensor> expected = options.open();
                    Loader<DeviceTensor> loader = options.open(DEVICE)) {
                Iterator<Batch<HostTensor>> hosts = expected.iterator();
                int batches = 0;
                for (Batch<DeviceTensor> batch : loader) {
                    Batch<HostTensor> host = hosts.next();
                    assertEquals(
                            List.copyOf(host.tensors().keySet()),
                            List.copyOf(batch.tensors().keySet()));
                    batch.tensors().forEach((name, tensor) -> assertEqual(host.get(name), tensor));
                    batches++;
                }
                assertEquals(false, hosts.hasNext());
                assertTrue(batches > 5);
            }
        }
    }

    private static void assertEqual(HostTensor expected, DeviceTensor tensor) {
        assertTrue(tensor.hostReason().isEmpty());
        assertArrayEquals(expected.shape(), tensor.shape());
        assertEquals(expected.dataType(), tensor.dataType());
        try (HostTensor copy = tensor.toHost()) {
            assertArrayEquals(
                    expected.segment().toArray(JAVA_BYTE), copy.segment().toArray(JAVA_BYTE));
        }
    }

    /** A damaged chunk fails its step, again and again; the steps after it are delivered. */
    @Test
    void reportsADamagedChunk() throws IOException {
        SampleArray sample = SampleArray.writeDamaged(engine, folder.resolve("damaged"), "c/0/1");
        try (ZarrArray array = engine.openArray(sample.path());
                Loader<DeviceTensor> loader =
                        Loader.of(array, Sampler.windows(array.shape(), 0, 60, 60))
                                .output("x", "damaged", Transform.identity().log1p())
                                .open(DEVICE)) {
            Iterator<Batch<DeviceTensor>> batches = loader.iterator();
            assertThrows(CorruptChunkException.class, batches::next);
            assertThrows(CorruptChunkException.class, batches::next);
            loader.skip();
            assertEquals(60 * 200 * 4L, batches.next().tensor().byteSize());
        }
    }

    /** The GPU has room for some batches only: more of them would be memory that nobody freed. */
    @Test
    void closesAtAnyMoment() {
        try (ZarrArray u = write("u", NumericType.INT16)) {
            Sampler crops = Sampler.crops(u.shape(), new long[] {100, 100}, 1);
            for (int i = 0; i < 40; i++) {
                Loader<DeviceTensor> loader =
                        Loader.of(u, crops)
                                .batch(400) // of 8 MB, and 16 MB computed; the budget is 256 MiB
                                .prefetch(2)
                                .output("x", "u", Transform.identity().normalize(3, 7))
                                .open(DEVICE);
                for (int k = 0; k < i % 3; k++) {
                    loader.iterator().next();
                }
                loader.close();
            }
        }
    }

    /** One thread would add all elements for seconds, as if the GPU had failed. */
    @Test
    void refusesAMeanOfMillionsOfElements() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 2, 1200, 1000)
                        .chunkShape(1, 1200, 1000)
                        .build();
        SampleArray sample = SampleArray.write(engine, folder.resolve("large"), metadata);
        try (ZarrArray large = engine.openArray(sample.path());
                Loader<DeviceTensor> loader =
                        Loader.of(large, Sampler.windows(large.shape(), 0, 1, 1))
                                .output("x", "large", Transform.identity().mean(1, 1200, 1000))
                                .open(DEVICE)) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, loader.iterator()::next);
            assertTrue(e.getMessage().contains("elements for each mean, not 1200000"));
        }
    }

    /** A GPU has no room for three means, which the CPU can take: the error says so. */
    @Test
    void refusesWhatTheGpuCannotCompute() {
        Transform means = Transform.identity().mean(2, 2).log1p().mean(2, 1).clip(0, 9).mean(1, 5);
        try (ZarrArray u = write("u", NumericType.INT16);
                Loader<DeviceTensor> loader =
                        Loader.of(u, Sampler.windows(u.shape(), 0, 60, 60))
                                .output("x", "u", means)
                                .open(DEVICE)) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, loader.iterator()::next);
            assertEquals("a transform on a GPU has at most 2 means, not 3", e.getMessage());
        }
    }
}
