package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Selections other than boxes with positive steps, on random arrays: descending slices, lists,
 * masks, points and blocks. The slow twin looks up each element by itself.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class IndexedReadTest {
    private ZarrEngine engine;

    static LongStream seeds() {
        long fresh = Long.getLong("io.zarrengine.seed", System.nanoTime());
        return LongStream.concat(LongStream.range(0, 40), LongStream.of(fresh));
    }

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private SampleArray sample(SplittableRandom random, Path folder) {
        ArrayMetadata metadata = new RandomMetadata(random).next();
        return SampleArray.write(engine, folder.resolve("array"), metadata);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void orthogonal(long seed, @TempDir Path folder) {
        SplittableRandom random = new SplittableRandom(seed);
        SampleArray sample = sample(random, folder);
        long[] shape = sample.metadata().shape();
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int i = 0; i < 8; i++) {
                long[][] positions = new long[shape.length][];
                DimensionSelection[] parts = new DimensionSelection[shape.length];
                for (int d = 0; d < shape.length; d++) {
                    parts[d] = randomPart(random, shape[d], positions, d);
                }
                assertReads(array, sample, Selection.orthogonal(parts), combinations(positions));
            }
        }
    }

    /**
     * Returns a list, a mask, an index, or a slice in either direction, and notes its positions.
     */
    private static DimensionSelection randomPart(
            SplittableRandom random, long length, long[][] positions, int d) {
        return switch (random.nextInt(length == 0 ? 3 : 4)) {
            case 0 -> randomList(random, length, positions, d);
            case 1 -> randomMask(random, length, positions, d);
            case 3 -> {
                long at = random.nextLong(length);
                positions[d] = new long[] {at};
                yield DimensionSelection.index(at);
            }
            default -> randomSlice(random, length, positions, d);
        };
    }

    private static DimensionSelection randomList(
            SplittableRandom random, long length, long[][] positions, int d) {
        int count = length == 0 ? 0 : random.nextInt(6);
        long[] listed = random.longs(count, 0, Math.max(1, length)).toArray();
        positions[d] = listed;
        return DimensionSelection.indexes( // some of them counted from the end
                Arrays.stream(listed).map(p -> p % 2 == 0 ? p : p - length).toArray());
    }

    private static DimensionSelection randomMask(
            SplittableRandom random, long length, long[][] positions, int d) {
        boolean[] mask = new boolean[(int) length];
        for (int p = 0; p < length; p++) {
            mask[p] = random.nextInt(3) == 0;
        }
        positions[d] = LongStream.range(0, length).filter(p -> mask[(int) p]).toArray();
        return DimensionSelection.mask(mask);
    }

    private static DimensionSelection randomSlice(
            SplittableRandom random, long length, long[][] positions, int d) {
        long step = random.nextBoolean() ? 1 + random.nextLong(4) : -1 - random.nextLong(4);
        long first = random.nextLong(Math.max(1, length));
        positions[d] =
                LongStream.iterate(first, p -> p >= 0 && p < length, p -> p + step).toArray();
        return DimensionSelection.slice(first, null, step);
    }

    static List<long[]> combinations(long[][] positions) {
        List<long[]> all = new ArrayList<>(List.of(new long[positions.length]));
        for (int d = 0; d < positions.length; d++) {
            List<long[]> longer = new ArrayList<>();
            for (long[] prefix : all) {
                for (long position : positions[d]) {
                    long[] copy = prefix.clone();
                    copy[d] = position;
                    longer.add(copy);
                }
            }
            all = longer;
        }
        return all;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void points(long seed, @TempDir Path folder) {
        SplittableRandom random = new SplittableRandom(seed);
        SampleArray sample = sample(random, folder);
        long[] shape = sample.metadata().shape();
        boolean empty = Arrays.stream(shape).anyMatch(length -> length == 0);
        int count = empty ? 0 : random.nextInt(50);
        long[][] indexes = new long[shape.length][count];
        List<long[]> positions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long[] position = new long[shape.length];
            for (int d = 0; d < shape.length; d++) {
                position[d] = random.nextLong(shape[d]);
                indexes[d][i] = i % 2 == 0 ? position[d] : position[d] - shape[d];
            }
            positions.add(position);
        }
        try (ZarrArray array = engine.openArray(sample.path())) {
            if (shape.length > 0) {
                assertReads(array, sample, Selection.points(indexes), positions);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void masks(long seed, @TempDir Path folder) {
        SplittableRandom random = new SplittableRandom(seed);
        SampleArray sample = sample(random, folder);
        long[] shape = sample.metadata().shape();
        List<long[]> all = combinations(whole(shape));
        boolean[] mask = new boolean[all.size()];
        List<long[]> wanted = new ArrayList<>();
        for (int i = 0; i < mask.length; i++) {
            mask[i] = random.nextInt(4) == 0;
            if (mask[i]) {
                wanted.add(all.get(i));
            }
        }
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertReads(array, sample, Selection.mask(mask), wanted);
        }
    }

    private static long[][] whole(long... shape) {
        return Arrays.stream(shape)
                .mapToObj(length -> LongStream.range(0, length).toArray())
                .toArray(long[][]::new);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void blocks(long seed, @TempDir Path folder) {
        SplittableRandom random = new SplittableRandom(seed);
        SampleArray sample = sample(random, folder);
        long[] shape = sample.metadata().shape();
        long[] chunk = sample.metadata().chunkShape();
        long[][] positions = new long[shape.length][];
        List<String> parts = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            long blocks = Math.ceilDiv(shape[d], chunk[d]);
            long from = random.nextLong(blocks + 1);
            long to = from + random.nextLong(blocks - from + 1);
            boolean single = to == from + 1;
            parts.add(single ? Long.toString(from - blocks) : from + ":" + to);
            positions[d] =
                    LongStream.range(
                                    Math.min(from * chunk[d], shape[d]),
                                    Math.min(to * chunk[d], shape[d]))
                            .toArray();
        }
        try (ZarrArray array = engine.openArray(sample.path())) {
            String text = parts.isEmpty() ? "..." : String.join(",", parts);
            assertReads(array, sample, Selection.blocks(text), combinations(positions));
        }
    }

    private static void assertReads(
            ZarrArray array, SampleArray sample, Selection selection, List<long[]> positions) {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        positions.forEach(position -> expected.writeBytes(sample.element(position)));
        try (HostTensor tensor = array.read(selection)) {
            assertArrayEquals(
                    expected.toByteArray(),
                    tensor.segment().toArray(JAVA_BYTE),
                    () -> selection + " of " + array);
        }
    }

    /** A chunk is decoded once, however many points lie in it. */
    @Test
    void decodesEachChunkOnce(@TempDir Path folder) {
        SampleArray sample = sample(new SplittableRandom(3), folder);
        long[] shape = sample.metadata().shape();
        try (ZarrArray array = engine.openArray(sample.path())) {
            array.read(Selection.all()).close();
            long before = engine.metrics().chunksDecoded();
            array.read(Selection.all()).close();
            long chunks = engine.metrics().chunksDecoded() - before;
            boolean[] every = new boolean[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
            Arrays.fill(every, true);
            array.read(Selection.mask(every)).close();
            assertEquals(before + 2 * chunks, engine.metrics().chunksDecoded());
        }
    }

    @Test
    void refusesSelectionsThatDoNotFit(@TempDir Path folder) {
        SampleArray sample =
                SampleArray.write(
                        engine,
                        folder.resolve("array"),
                        ArrayMetadata.builder(NumericType.INT8, 4, 6)
                                .codecs(List.of(CodecSpec.bytes()))
                                .build());
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertOutside(array, Selection.points(new long[] {4}, new long[] {0}));
            assertOutside(array, Selection.points(new long[] {-5}, new long[] {0}));
            assertOutside(array, Selection.mask(true, false));
            assertOutside(array, Selection.orthogonal(DimensionSelection.mask(true)));
            assertOutside(array, Selection.orthogonal(DimensionSelection.indexes(1, 4)));
            assertOutside(array, Selection.blocks("1"));
            Selection onePart = Selection.points(new long[] {1, 2});
            assertThrows(IllegalArgumentException.class, () -> array.read(onePart));
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> Selection.points(new long[] {1, 2}, new long[] {1, 2, 3}));
        assertThrows(IllegalArgumentException.class, () -> Selection.blocks("::2"));
    }

    private static void assertOutside(ZarrArray array, Selection selection) {
        assertThrows(
                IndexOutOfBoundsException.class, () -> array.read(selection), selection::toString);
    }
}
