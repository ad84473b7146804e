package io.zarrengine.zarr.loader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.SampleArray;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.transform.Kernel;
import io.zarrengine.zarr.transform.Transform;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Computed tensors are those that a kernel computes from single reads. Fails if a part of a batch
 * is missing, at another place, or of another array, or if a failure leaks memory.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TransformedLoaderTest {
    @TempDir private static Path folder;

    private ZarrEngine engine;
    private ZarrArray u; // int16, of 120 x 200
    private ZarrArray v; // uint8, of the same shape

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
        u = write("u", NumericType.INT16);
        v = write("v", NumericType.UINT8);
    }

    private ZarrArray write(String name, NumericType type) {
        SampleArray sample =
                SampleArray.writeShards(engine, folder.resolve(name), type, CodecSpec.bytes());
        return engine.openArray(sample.path());
    }

    @AfterAll
    void close() {
        u.close();
        v.close();
        engine.close();
    }

    private static final Transform HALF =
            Transform.identity().missing(0).normalize(3, 7).mean(2, 2).flip(1).permute(1, 0);

    /** {@return what a kernel makes of a single read} */
    private static byte[] expected(ZarrArray array, Selection sample, Transform transform) {
        try (HostTensor read = array.read(sample);
                Arena arena = Arena.ofConfined()) {
            NumericType type = (NumericType) array.dataType();
            Kernel kernel = Kernel.of(transform, type, read.shape());
            long bytes = kernel.rows() * kernel.rowLength() * transform.typeAfter(type).byteSize();
            MemorySegment target = arena.allocate(bytes);
            kernel.run(read.segment(), 0, target, 0, 0, kernel.rows());
            return target.toArray(JAVA_BYTE);
        }
    }

    private static byte[] bytes(HostTensor tensor) {
        return tensor.segment().toArray(JAVA_BYTE);
    }

    private static byte[] joined(List<byte[]> parts) {
        byte[] all = new byte[parts.stream().mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void computesTensorsAndStacks(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Sampler crops = Sampler.crops(u.shape(), new long[] {60, 100}, seed);
        Transform mask = Transform.identity().missing(0).isMissing().cast(NumericType.BOOL);
        SequencedMap<String, Transform> channels = new LinkedHashMap<>();
        channels.put("v", HALF.cast(NumericType.FLOAT16));
        channels.put("u", HALF.scale(0.5, 1).cast(NumericType.FLOAT16));
        int batch = 1 + random.nextInt(5);
        LoaderBuilder options =
                Loader.of(Map.of("u", u, "v", v), crops)
                        .batch(batch)
                        .prefetch(random.nextInt(4))
                        .output("mask", "u", mask)
                        .stack("x", channels);
        try (Loader<HostTensor> loader = options.open()) {
            loader.stream()
                    .limit(20)
                    .forEach(computed -> {
                        List<byte[]> masks = new ArrayList<>();
                        List<byte[]> stacks = new ArrayList<>();
                        for (long number : computed.samples()) {
                            masks.add(expected(u, crops.get(number), mask));
                            stacks.add(expected(v, crops.get(number), channels.get("v")));
                            stacks.add(expected(u, crops.get(number), channels.get("u")));
                        }
                        assertEquals(
                                List.of("mask", "x"), List.copyOf(computed.tensors().keySet()));
                        assertEquals(
                                "bool[%d, 60, 100]".formatted(batch), "" + computed.get("mask"));
                        assertEquals(
                                "float16[%d, 2, 50, 30]".formatted(batch), "" + computed.get("x"));
                        assertArrayEquals(joined(masks), bytes(computed.get("mask")));
                        assertArrayEquals(joined(stacks), bytes(computed.get("x")));
                    });
        }
    }

    /** A large sample is divided into parts. */
    @Test
    void dividesALargeSample() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 700, 1000).chunkShape(100, 1000).build();
        SampleArray sample = SampleArray.write(engine, folder.resolve("large"), metadata);
        Transform flip = Transform.identity().flip(0);
        try (ZarrArray large = engine.openArray(sample.path());
                Loader<HostTensor> loader =
                        Loader.of(large, Sampler.of(List.of(Selection.all())))
                                .output("x", "large", flip)
                                .open()) {
            assertArrayEquals(
                    expected(large, Selection.all(), flip),
                    bytes(loader.iterator().next().tensor()));
        }
    }

    /** Computed batches go to the caller's memory, to no more than the ring. */
    @Test
    void computesToTheCallersMemory() {
        List<Long> allocated = new ArrayList<>();
        try (Arena arena = Arena.ofShared()) {
            LoaderBuilder options =
                    Loader.of(u, Sampler.crops(u.shape(), new long[] {10, 10}, 1))
                            .prefetch(2)
                            .output("x", "u", Transform.identity().log1p())
                            .memory((bytes, alignment) -> {
                                allocated.add(bytes);
                                return arena.allocate(bytes, alignment);
                            });
            try (Loader<HostTensor> loader = options.open()) {
                assertEquals(50, loader.stream().limit(50).count());
            }
            assertTrue(allocated.size() <= 3, allocated::toString);
            assertEquals(400L, allocated.getFirst());
        }
    }

    /** A damaged chunk fails its step, which can be skipped; closing frees all memory. */
    @Test
    void reportsADamagedChunk() throws IOException {
        SampleArray sample = SampleArray.writeDamaged(engine, folder.resolve("damaged"), "c/1/1");
        MemorySegment kept;
        try (ZarrArray any = engine.openArray(sample.path());
                Loader<HostTensor> loader =
                        Loader.of(any, Sampler.windows(any.shape(), 0, 40, 40))
                                .output("x", "damaged", HALF)
                                .open()) {
            Iterator<Batch<HostTensor>> batches = loader.iterator();
            kept = batches.next().tensor().segment();
            assertThrows(CorruptChunkException.class, batches::next);
            assertThrows(CorruptChunkException.class, batches::next);
            loader.skip();
            assertThrows(CorruptChunkException.class, batches::next);
            loader.skip();
            assertFalse(batches.hasNext());
        }
        assertFalse(kept.scope().isAlive());
    }

    /** Closing at any moment waits for what is being computed. */
    @Test
    void closesAtAnyMoment() {
        Sampler crops = Sampler.crops(u.shape(), new long[] {100, 100}, 1);
        for (int i = 0; i < 50; i++) {
            Loader<HostTensor> loader =
                    Loader.of(u, crops).batch(4).prefetch(3).output("x", "u", HALF).open();
            MemorySegment last = null;
            for (int k = 0; k < i % 4; k++) {
                last = loader.iterator().next().tensor().segment();
            }
            loader.close();
            assertTrue(last == null || !last.scope().isAlive());
        }
    }

    @Test
    void refusesTransformsThatDoNotFit() {
        Sampler crops = Sampler.crops(u.shape(), new long[] {10, 15}, 1);
        Transform odd = Transform.identity().mean(2, 2);
        SequencedMap<String, Transform> mixed = new LinkedHashMap<>();
        mixed.put("u", Transform.identity());
        mixed.put("v", Transform.identity());
        Map<String, ZarrArray> both = Map.of("u", u, "v", v);
        List<LoaderBuilder> bad =
                List.of(
                        Loader.of(u, crops).output("x", "u", odd),
                        Loader.of(u, crops).output("x", "w", HALF),
                        Loader.of(both, crops).stack("x", mixed));
        for (LoaderBuilder each : bad) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, each::open);
            assertTrue(e.getMessage().matches(".* x[: ].*"), e::getMessage);
        }
        LoaderBuilder one = Loader.of(u, crops).output("x", "u", HALF);
        assertThrows(IllegalArgumentException.class, () -> one.output("x", "u", HALF));
        assertThrows(IllegalArgumentException.class, () -> one.stack("y", new LinkedHashMap<>()));
        Sampler mixedShapes =
                Sampler.of(List.of(Selection.of("0:2, 0:4"), Selection.of("0:4, 0:4")));
        try (Loader<HostTensor> loader =
                Loader.of(u, mixedShapes).batch(2).output("x", "u", HALF).open()) {
            assertThrows(IllegalArgumentException.class, loader.iterator()::next);
        }
    }
}
