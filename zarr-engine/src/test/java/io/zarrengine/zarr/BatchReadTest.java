package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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

/** A batch of selections read at once equals the same selections read one by one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BatchReadTest {
    private ZarrEngine engine;

    static LongStream seeds() {
        long fresh = Long.getLong("io.zarrengine.seed", System.nanoTime());
        return LongStream.concat(LongStream.range(0, 20), LongStream.of(fresh));
    }

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsWhatSingleReadsDo(long seed, @TempDir Path folder) {
        SplittableRandom random = new SplittableRandom(seed);
        ArrayMetadata metadata = new RandomMetadata(random).next();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path());
                Arena arena = Arena.ofShared()) {
            for (int i = 0; i < 8; i++) {
                List<Selection> selections = randomSelections(random, array.shape());
                long bytes = array.bytesOf(selections);
                GuardedMemory target = new GuardedMemory(arena, Math.toIntExact(bytes));
                array.read(selections, target.segment());
                byte[] expected = SingleReads.oneByOne(array, selections);
                assertArrayEquals(expected, target.segment().toArray(JAVA_BYTE));
                target.assertIntact();
                byte[] heap = new byte[(int) bytes];
                array.readAsync(selections, MemorySegment.ofArray(heap)).join();
                assertArrayEquals(expected, heap);
            }
        }
    }

    @Test
    void theFirstDimensionOfNewMemoryCountsSelectionsOfOneShape(@TempDir Path folder) {
        SampleArray sample =
                SampleArray.writeShards(
                        engine, folder.resolve("array"), NumericType.INT32, CodecSpec.bytes());
        Selection box = Selection.of("5:35, 10:90");
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertShape(new long[] {2, 30, 80}, array, box, box);
            assertShape(new long[] {1, 30, 80}, array, box);
            assertShape(new long[] {2401}, array, box, Selection.of("0:1, 0:1"));
            assertShape(new long[] {0}, array);
        }
    }

    private static void assertShape(long[] expected, ZarrArray array, Selection... selections) {
        List<Selection> list = List.of(selections);
        try (HostTensor waited = array.read(list);
                HostTensor tensor = array.readAsync(list).join()) {
            assertArrayEquals(expected, waited.shape());
            assertArrayEquals(expected, tensor.shape());
            assertArrayEquals(
                    SingleReads.oneByOne(array, list), waited.segment().toArray(JAVA_BYTE));
            assertArrayEquals(
                    SingleReads.oneByOne(array, list), tensor.segment().toArray(JAVA_BYTE));
        }
    }

    static List<Selection> randomSelections(SplittableRandom random, long[] shape) {
        List<Selection> selections = new ArrayList<>();
        int count = random.nextInt(7);
        for (int i = 0; i < count; i++) {
            selections.add(
                    switch (random.nextInt(4)) {
                        case 0 -> randomPoints(random, shape);
                        case 1 -> selections.isEmpty() ? Selection.all() : selections.getFirst();
                        default -> SingleReads.randomBox(random, shape);
                    });
        }
        return selections;
    }

    private static Selection randomPoints(SplittableRandom random, long[] shape) {
        boolean empty = shape.length == 0 || Arrays.stream(shape).anyMatch(length -> length == 0);
        if (empty) {
            return Selection.all();
        }
        long[][] indexes = new long[shape.length][5];
        for (int d = 0; d < shape.length; d++) {
            indexes[d] = random.longs(5, 0, shape[d]).toArray();
        }
        return Selection.points(indexes);
    }

    /** Fails if the plans of a batch only queue one after the other. */
    @Test
    void decodesASharedChunkOnce(@TempDir Path folder) {
        ArrayMetadata metadata = new RandomMetadata(new SplittableRandom(3)).next();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path())) {
            List<Selection> once = List.of(Selection.all());
            List<Selection> often = Collections.nCopies(9, Selection.all());
            long single = decodedBy(array, once);
            assertEquals(single, decodedBy(array, often));
        }
    }

    private long decodedBy(ZarrArray array, List<Selection> selections) {
        long before = engine.metrics().chunksDecoded();
        array.read(selections, MemorySegment.ofArray(new byte[(int) array.bytesOf(selections)]));
        return engine.metrics().chunksDecoded() - before;
    }

    /** More selections than one plan takes: each still goes to its own place. */
    @Test
    void readsMoreSelectionsThanOnePlanTakes(@TempDir Path folder) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT16, 60, 70)
                        .chunkShape(4, 70)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                        .build();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        SplittableRandom random = new SplittableRandom(1);
        List<Selection> selections = new ArrayList<>();
        byte[] expected = new byte[4 * 10_000];
        for (int i = 0; i < 10_000; i++) {
            long[] offset = {random.nextLong(60), random.nextLong(69)};
            BoxPositions box = new BoxPositions(offset, new long[] {1, 2}, new long[] {1, 1});
            selections.add(box.selection());
            System.arraycopy(sample.expected(box), 0, expected, 4 * i, 4);
        }
        byte[] target = new byte[expected.length];
        // The plan may take 2 MiB, a slice a third of that: 2,200 selections.
        long budgetBytes = 16 << 20;
        try (ZarrEngine small = ZarrEngine.builder().workers(2).budgetBytes(budgetBytes).open();
                ZarrArray array = small.openArray(sample.path())) {
            array.read(selections, MemorySegment.ofArray(target));
            assertArrayEquals(expected, target);
            long decoded = small.metrics().chunksDecoded();
            assertTrue(decoded > 15, "all were planned together");
            assertTrue(decoded <= 15 + 9, () -> decoded + ": the slices share too many chunks");
        }
    }

    /** A few selections of many chunks, most of them missing. */
    @Test
    void countsTheChunksThatBoxesTouch(@TempDir Path folder) throws IOException {
        assertPlannedInSlices(folder, 100_000, Selection.of("0:1"));
    }

    /** A batch with points has another plan, which takes more memory for each chunk. */
    @Test
    void countsTheChunksThatPlansTouch(@TempDir Path folder) throws IOException {
        assertPlannedInSlices(folder, 24_000, Selection.points(new long[] {0}));
    }

    /** {@code first} selects the first element. */
    private static void assertPlannedInSlices(Path folder, int length, Selection first)
            throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, length).chunkShape(1).build();
        try (ZarrEngine small = ZarrEngine.builder().workers(2).budgetBytes(16 << 20).open()) {
            var _ = small.createArray(folder.resolve("array"), metadata);
            Path chunks = Files.createDirectory(folder.resolve("array/c"));
            byte[] content = new byte[length];
            for (int i = 0; i < length; i += 999) {
                content[i] = (byte) (1 + i / 999);
                Files.write(chunks.resolve(Integer.toString(i)), new byte[] {content[i]});
            }
            List<Selection> selections = new ArrayList<>(List.of(Selection.all(), first));
            byte[] expected = Arrays.copyOf(content, 2 * length + 1 + 14 * 2);
            expected[length] = content[0];
            for (int i = 0; i < 14; i++) {
                selections.add(Selection.of(i * 999 + ":" + (i * 999 + 2)));
                expected[length + 1 + 2 * i] = content[999 * i];
            }
            selections.add(Selection.all());
            System.arraycopy(content, 0, expected, length + 1 + 14 * 2, length);
            try (ZarrArray array = small.openArray(folder.resolve("array"))) {
                byte[] target = new byte[expected.length];
                array.read(selections, MemorySegment.ofArray(target));
                assertArrayEquals(expected, target);
                long planned = array.selector().select(selections).plan().chunks();
                assertTrue(planned >= 2L * length, "both were planned together");
            }
        }
    }

    /** A plan of its own needs no memory for the chunks that it touches. */
    @Test
    void aLargePlanIsNotCopied(@TempDir Path folder) {
        long length = 1L << 40;
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, length).chunkShape(1).build();
        var _ = engine.createArray(folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(folder.resolve("array"))) {
            for (int count = 1; count < 4; count++) {
                List<Selection> selections = Collections.nCopies(count, Selection.all());
                ChunkPlan plan = array.selector().select(selections).plan();
                assertEquals(count * length, plan.chunks());
                long last = plan.parts(plan.chunks() - 1).getFirst().targetOffset();
                assertEquals(count * length - 1, last);
            }
        }
    }

    @Test
    void refusesSelectionsThatDoNotFit(@TempDir Path folder) {
        ArrayMetadata metadata = new RandomMetadata(new SplittableRandom(3)).next();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path());
                Arena confined = Arena.ofConfined()) {
            List<Selection> all = Collections.nCopies(2, Selection.all());
            int bytes = (int) array.bytesOf(all);
            MemorySegment small = MemorySegment.ofArray(new byte[bytes - 1]);
            assertThrows(IndexOutOfBoundsException.class, () -> array.read(all, small));
            MemorySegment readOnly = MemorySegment.ofArray(new byte[bytes]).asReadOnly();
            assertThrows(IllegalArgumentException.class, () -> array.read(all, readOnly));
            MemorySegment owned = confined.allocate(bytes);
            assertThrows(IllegalArgumentException.class, () -> array.readAsync(all, owned));
            MemorySegment closed;
            try (Arena shared = Arena.ofShared()) {
                closed = shared.allocate(bytes);
            }
            assertThrows(IllegalStateException.class, () -> array.read(all, closed));
            var e = assertThrows(IllegalStateException.class, () -> array.readAsync(all, closed));
            assertEquals("the target's arena is closed", e.getMessage());
            List<Selection> outside = List.of(Selection.all(), Selection.of("99999"));
            assertThrows(IndexOutOfBoundsException.class, () -> array.bytesOf(outside));
        }
    }
}
