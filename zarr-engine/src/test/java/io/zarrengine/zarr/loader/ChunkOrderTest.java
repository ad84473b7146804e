package io.zarrengine.zarr.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.SampleArray;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An order by chunks has each sample once, and touches a chunk in one window only. */
final class ChunkOrderTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void takesEachSampleOnceAndEachChunkInOneWindow(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int chunks = 1 + random.nextInt(40);
        int together = 1 + random.nextInt(9);
        int[] chunkOf = new int[chunks + random.nextInt(400)];
        Arrays.setAll(chunkOf, i -> i < chunks ? i : random.nextInt(chunks));
        ChunkOrder order = ChunkOrder.of(chunkOf, chunks, together, seed);
        List<Long> first = order(order, 0, chunkOf.length);
        for (long epoch : new long[] {0, 1, 7}) {
            List<Long> all = order(order, epoch, chunkOf.length);
            assertEquals(
                    LongStream.range(0, chunkOf.length).boxed().toList(),
                    all.stream().sorted().toList());
            Set<Integer> before = new HashSet<>();
            Set<Integer> window = new HashSet<>();
            for (long sample : all) {
                int chunk = chunkOf[(int) sample];
                if (!window.contains(chunk) && window.size() == together) {
                    before.addAll(window);
                    window.clear();
                }
                assertTrue(!before.contains(chunk), "the chunk comes again in a later window");
                window.add(chunk);
            }
        }
        assertEquals(
                first, order(ChunkOrder.of(chunkOf, chunks, together, seed), 0, chunkOf.length));
        if (chunkOf.length > 50) {
            assertNotEquals(first, order(order, 1, chunkOf.length));
        }
    }

    private static List<Long> order(ChunkOrder order, long epoch, int count) {
        return LongStream.range(0, count).mapToObj(at -> order.at(epoch, at)).toList();
    }

    /** 4 samples in each of 100 inner chunks: in order, at random, and by 10 chunks together. */
    @Test
    void reportsCostAndRandomness(@TempDir Path folder) {
        try (ZarrEngine engine = ZarrEngine.open()) {
            SampleArray sample =
                    SampleArray.writeShards(
                            engine, folder.resolve("a"), NumericType.INT16, CodecSpec.bytes());
            try (ZarrArray array = engine.openArray(sample.path())) {
                assertEquals(1, array.chunksOf(Selection.of("9, 19")).size());
                assertEquals(4, array.chunksOf(Selection.of("9:11, 19:21")).size());
                assertEquals(
                        List.of(11L, 9L),
                        Arrays.stream(array.chunksOf(Selection.of("-1, -1")).getFirst())
                                .boxed()
                                .toList());
                long[] quarter = {5, 10};
                Sampler quarters = Sampler.sliding(array.shape(), quarter, quarter);
                LoaderBuilder options = Loader.of(array, quarters).batch(40);
                OrderReport ordered = options.report();
                OrderReport shuffled = options.shuffle(1).report();
                OrderReport byChunks = options.shuffleByChunks(1, 10).report();
                assertEquals(120, ordered.chunks());
                assertEquals(0, ordered.displacement());
                assertEquals(1, byChunks.readsPerChunk());
                assertEquals(0.25, byChunks.chunksPerSample());
                assertTrue(shuffled.readsPerChunk() > 3, shuffled::toString);
                assertTrue(Math.abs(shuffled.displacement() - 1) < 0.15, shuffled::toString);
                assertTrue(byChunks.displacement() > 0.8, byChunks::toString);
                Sampler crops = Sampler.crops(array.shape(), quarter, 1);
                LoaderBuilder endless =
                        Loader.of(array, crops).epochLength(9).shuffleByChunks(1, 2);
                assertThrows(IllegalArgumentException.class, endless::open);
                LoaderBuilder noEnd = Loader.of(array, crops);
                assertThrows(IllegalArgumentException.class, noEnd::report);
            }
        }
    }

    /** Fault: a rank without a sample, or samples without elements, divide by 0. */
    @Test
    void reportsNothingOfNothing(@TempDir Path folder) {
        try (ZarrEngine engine = ZarrEngine.open()) {
            SampleArray sample =
                    SampleArray.writeShards(
                            engine, folder.resolve("a"), NumericType.INT16, CodecSpec.bytes());
            try (ZarrArray array = engine.openArray(sample.path())) {
                OrderReport nothing = new OrderReport(0, 0, 0, 0);
                LoaderBuilder one = Loader.of(array, Sampler.of(List.of(Selection.of("0, 0"))));
                assertEquals(nothing, one.rank(1, 2, EpochEnd.PARTIAL).report());
                Sampler empty = Sampler.of(List.of(Selection.of("0:0, 0:0")));
                assertEquals(nothing, Loader.of(array, empty).report());
            }
        }
    }
}
