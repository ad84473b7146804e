package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A loader reads slices in order, some ahead of the caller. Fails if it skips or repeats a step,
 * differs from single reads, or leaks a tensor. Some tests control the reads themselves.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SliceLoaderTest {
    @TempDir private static Path folder;

    private ZarrEngine engine;
    private ZarrArray array;

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
        array =
                engine.openArray(
                        SampleArray.writeShards(
                                        engine,
                                        folder.resolve("shards"),
                                        NumericType.INT16,
                                        CodecSpec.bytes())
                                .path());
    }

    @AfterAll
    void close() {
        array.close();
        engine.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void readsWhatSingleReadsDo(long seed, @TempDir Path own) {
        SplittableRandom random = new SplittableRandom(seed);
        ArrayMetadata metadata = new RandomMetadata(random).next();
        SampleArray sample = SampleArray.write(engine, own.resolve("array"), metadata);
        try (ZarrArray any = engine.openArray(sample.path())) {
            List<Selection> slices = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                slices.add(BatchReadTest.randomBox(random, any.shape()));
            }
            int batch = random.nextInt(4);
            LoaderOptions options = LoaderOptions.prefetch(random.nextInt(5)).batch(batch);
            int each = Math.max(1, batch);
            int step = 0;
            try (var loader = any.loader(Slices.of(slices), options)) {
                for (HostTensor tensor : loader) {
                    int end = Math.min(slices.size(), (step + 1) * each);
                    List<Selection> together = slices.subList(step * each, end);
                    try (HostTensor expected =
                            batch == 0 ? any.read(together.getFirst()) : any.read(together)) {
                        assertArrayEquals(expected.shape(), tensor.shape());
                        assertArrayEquals(bytes(expected), bytes(tensor));
                    }
                    assertArrayEquals(BatchReadTest.oneByOne(any, together), bytes(tensor));
                    assertEquals(++step, loader.nextStep());
                }
            }
            assertEquals(Math.ceilDiv(slices.size(), each), step);
        }
    }

    private static byte[] bytes(HostTensor tensor) {
        return tensor.segment().toArray(JAVA_BYTE);
    }

    /** Rows in turn, without end; the last one is outside the array. */
    private static final Slices ROWS =
            number -> Selection.box(new long[] {number % 121, 0}, new long[] {1, 200});

    /**
     * A loader that starts or resumes at a step returns the same slices; a lambda has no last
     * slice.
     */
    @Test
    void resumesAtAStep() {
        LoaderOptions options = LoaderOptions.prefetch(3).batch(2);
        long step;
        try (var loader = array.loader(ROWS, options)) {
            Iterator<HostTensor> tensors = loader.iterator();
            tensors.next();
            tensors.next();
            step = loader.nextStep();
        }
        assertEquals(2, step);
        try (var loader = array.loader(ROWS, options.from(step))) {
            HostTensor third = loader.iterator().next();
            assertArrayEquals(
                    BatchReadTest.oneByOne(array, List.of(ROWS.get(4), ROWS.get(5))), bytes(third));
            assertTrue(loader.iterator().hasNext());
        }
        try (var loader = array.loader(ROWS, options.from(Long.MAX_VALUE / 2 - 1))) {
            Iterator<HostTensor> tensors = loader.iterator();
            tensors.next();
            assertTrue(tensors.hasNext()); // the last one, of one slice
            assertArrayEquals(new long[] {1, 1, 200}, tensors.next().shape());
            assertFalse(tensors.hasNext());
        }
        try (var loader = array.loader(Slices.of(List.of()), options.from(7))) {
            assertFalse(loader.iterator().hasNext());
            assertThrows(NoSuchElementException.class, loader.iterator()::next);
        }
    }

    /**
     * A failed step stays the next one until the caller skips it; the steps after it are intact.
     */
    @Test
    void keepsAFailedStepUntilItIsSkipped() {
        try (var loader = array.loader(ROWS, LoaderOptions.prefetch(3).from(119))) {
            Iterator<HostTensor> tensors = loader.iterator();
            tensors.next();
            for (int i = 0; i < 2; i++) {
                IndexOutOfBoundsException e =
                        assertThrows(IndexOutOfBoundsException.class, tensors::next);
                String expected =
                        "slice 120 of " + array.path() + ": a box of length 1 at 120 reaches";
                assertTrue(e.getMessage().startsWith(expected), e::getMessage);
                assertEquals(120, loader.nextStep());
            }
            loader.skip();
            assertArrayEquals(
                    BatchReadTest.oneByOne(array, List.of(ROWS.get(0))), bytes(tensors.next()));
        }
    }

    @Test
    void throwsTheExceptionsOfTheSlices() {
        Slices failing =
                number ->
                        switch ((int) number) {
                            case 0 -> throw new CancellationException("of the slices");
                            case 1 -> throw new AssertionError("a bug");
                            case 2 -> Selection.of("0");
                            case 3 -> null;
                            default -> Selection.of("0, 0, 0");
                        };
        try (var loader = array.loader(failing, LoaderOptions.prefetch(1))) {
            Iterator<HostTensor> tensors = loader.iterator();
            assertThrows(CancellationException.class, tensors::next);
            loader.skip();
            assertThrows(AssertionError.class, tensors::next);
            loader.skip();
            assertArrayEquals(new long[] {200}, tensors.next().shape());
            NullPointerException none = assertThrows(NullPointerException.class, tensors::next);
            assertEquals("slice 3 of " + array.path() + " is null", none.getMessage());
        }
        try (var loader = array.loader(failing, LoaderOptions.prefetch(0).batch(2).from(2))) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, loader.iterator()::next);
            assertTrue(e.getMessage().startsWith("slice 4 of " + array.path()), e::getMessage);
        }
    }

    /** A read that failed may succeed the second time. */
    @Test
    void readsAFailedStepAgain() {
        Reads reads = new Reads();
        try (SliceLoader<String> loader = reads.loader(1, 3)) {
            reads.begun.getFirst().completeExceptionally(new IllegalStateException("a bad cable"));
            reads.endAtOnce();
            assertThrows(IllegalStateException.class, loader.iterator()::next);
            assertEquals(0, loader.nextStep());
            assertEquals("step 2", loader.iterator().next()); // the third read that was begun
            assertEquals(1, loader.nextStep());
        }
    }

    /** A skipped step is cancelled, and its tensor is closed if it has been read. */
    @Test
    void closesSkippedSteps() {
        Reads reads = new Reads();
        try (SliceLoader<String> loader = reads.loader(2, 4)) {
            reads.end(0);
            loader.skip();
            assertEquals(List.of("step 0"), reads.released);
            loader.skip();
            assertTrue(reads.begun.get(1).isCancelled());
            loader.skip(); // was not begun
            assertEquals(2, reads.begun.size());
            reads.endAtOnce();
            assertEquals("step 2", loader.iterator().next()); // the third read is that of step 3
            assertEquals(4, loader.nextStep());
            assertThrows(NoSuchElementException.class, loader::skip);
        }
    }

    @Test
    void refusesASecondLoop() {
        Slices two = Slices.of(List.of(ROWS.get(0), ROWS.get(1)));
        try (var loader = array.loader(two, LoaderOptions.prefetch(1))) {
            for (HostTensor _ : loader) {
                assertTrue(loader.nextStep() <= 2);
            }
            assertThrows(IllegalStateException.class, loader::iterator);
        }
    }

    /** Each round has all slices, in another order each time, and the same order for a seed. */
    @Test
    void repeatsShuffledSlicesInNewOrders() {
        List<Selection> rows = IntStream.range(0, 100).mapToObj(ROWS::get).toList();
        Slices shuffled = Slices.of(rows).shuffled(7);
        List<Selection> first = LongStream.range(0, 100).mapToObj(shuffled::get).toList();
        List<Selection> second = LongStream.range(100, 200).mapToObj(shuffled::get).toList();
        assertEquals(Set.copyOf(rows), Set.copyOf(first));
        assertEquals(Set.copyOf(rows), Set.copyOf(second));
        assertNotEquals(rows, first);
        assertNotEquals(first, second);
        Slices again = Slices.of(rows).shuffled(7);
        assertEquals(first, LongStream.range(0, 100).mapToObj(again::get).toList());
        Slices other = Slices.of(rows).shuffled(8);
        assertNotEquals(first, LongStream.range(0, 100).mapToObj(other::get).toList());
        assertEquals(Long.MAX_VALUE, shuffled.count());
        assertEquals(0, Slices.of(List.of()).shuffled(1).count());
        assertThrows(IllegalStateException.class, () -> shuffled.shuffled(1));
    }

    /** The loader owns the memory of the tensor: a kept segment ends with the loader. */
    @Test
    void invalidatesATensorWhenTheNextIsTaken() {
        HostTensor last;
        MemorySegment kept;
        try (var loader = array.loader(ROWS, LoaderOptions.prefetch(1))) {
            HostTensor first = loader.iterator().next();
            kept = first.segment();
            last = loader.iterator().next();
            assertThrows(IllegalStateException.class, first::segment);
            assertThrows(IllegalStateException.class, () -> first.getLong(0, 0));
            bytes(last);
        }
        assertThrows(IllegalStateException.class, last::segment);
        assertFalse(kept.scope().isAlive());
    }

    /** Memory that is too small for a step is replaced; a failed step returns its memory. */
    @Test
    void reusesMemoryForStepsOfAllSizes() throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 120, 200)
                        .chunkShape(60, 100)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.crc32c()))
                        .build();
        SampleArray sample = SampleArray.write(engine, folder.resolve("damaged"), metadata);
        Path chunk = sample.path().resolve("c/1/1");
        byte[] damaged = Files.readAllBytes(chunk);
        damaged[17]++;
        Files.write(chunk, damaged);
        List<String> sizes = List.of("0:9", "0:60", "0:120", "3:5", "60:120", "0:60");
        List<Selection> slices = sizes.stream().map(rows -> Selection.of(rows + ", :")).toList();
        try (ZarrArray any = engine.openArray(sample.path());
                var loader = any.loader(Slices.of(slices), LoaderOptions.prefetch(2))) {
            Iterator<HostTensor> steps = loader.iterator();
            for (Selection slice : slices) {
                try {
                    byte[] expected = BatchReadTest.oneByOne(any, List.of(slice));
                    assertArrayEquals(expected, bytes(steps.next()));
                } catch (CorruptChunkException e) {
                    assertThrows(CorruptChunkException.class, steps::next);
                    loader.skip();
                }
            }
            assertFalse(steps.hasNext());
        }
    }

    /** A close during a native call fails, and a later close frees the memory. */
    @Test
    void freesMemoryInUseByANativeCallLater() throws Exception {
        SliceLoader<HostTensor> loader = array.loader(ROWS, LoaderOptions.prefetch(3));
        MemorySegment kept = loader.iterator().next().segment();
        try (NativeUse _ = NativeUse.of(kept)) {
            assertThrows(IllegalStateException.class, loader::close);
            assertTrue(kept.scope().isAlive());
        }
        loader.close();
        assertFalse(kept.scope().isAlive());
    }

    /** A tensor is closed like any other; only then is its memory used again. */
    @Test
    void reusesTheMemoryOfAClosedTensor() {
        try (var loader = array.loader(ROWS, LoaderOptions.prefetch(0))) {
            long address;
            try (HostTensor first = loader.iterator().next()) {
                address = first.segment().address();
            }
            HostTensor second = loader.iterator().next();
            assertEquals(address, second.segment().address());
            assertArrayEquals(BatchReadTest.oneByOne(array, List.of(ROWS.get(1))), bytes(second));
        }
    }

    @Test
    void refusesAClosedArray() {
        ZarrArray other = engine.openArray(array.path());
        try (other) {
            other.shape();
        }
        LoaderOptions options = LoaderOptions.prefetch(2);
        assertThrows(ClosedException.class, () -> other.loader(ROWS, options));
        assertThrows(ClosedException.class, () -> other.loader(ROWS, options, Target.cuda(0)));
    }

    /** Closing the array ends all reads, but loses no step. */
    @Test
    void losesNoStepWhenTheArrayCloses() {
        ZarrArray other = engine.openArray(array.path());
        try (var loader = other.loader(ROWS, LoaderOptions.prefetch(1))) {
            try (other) {
                loader.iterator().next();
            }
            loader.iterator().next(); // was read ahead
            for (int i = 0; i < 3; i++) {
                assertThrows(ClosedException.class, loader.iterator()::next);
                assertEquals(2, loader.nextStep());
            }
        }
    }

    @Test
    void refusesNegativeNumbersAndATargetWithAnAddress() {
        for (int[] bad : new int[][] {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new LoaderOptions(bad[0], bad[1], bad[2]));
        }
        Target one = Target.cuda(0).into(4096, 1 << 20);
        assertThrows(
                IllegalArgumentException.class,
                () -> array.loader(ROWS, LoaderOptions.prefetch(1), one));
    }

    /** Reads that the test completes. */
    private final class Reads {
        final List<CompletableFuture<String>> begun = new ArrayList<>();
        final List<String> released = new ArrayList<>();
        private boolean endsAtOnce;

        SliceLoader<String> loader(int prefetch, int count) {
            List<Selection> rows = Collections.nCopies(count, ROWS.get(0));
            return new SliceLoader<>(
                    array.selector(),
                    Slices.of(rows),
                    LoaderOptions.prefetch(prefetch),
                    elements -> {
                        CompletableFuture<String> read = new CompletableFuture<>();
                        begun.add(read);
                        if (endsAtOnce) {
                            end(begun.size() - 1);
                        }
                        return read;
                    },
                    released::add,
                    () -> released.add("the memory"));
        }

        /** Completes all reads that have begun, and all later ones at once. */
        void endAtOnce() {
            endsAtOnce = true;
            end(IntStream.range(0, begun.size()).toArray());
        }

        void end(int... steps) {
            Arrays.stream(steps).forEach(step -> begun.get(step).complete("step " + step));
        }
    }

    /** There are never more tensors than those read ahead and the caller's one. */
    @ParameterizedTest(name = "prefetch {0}")
    @ValueSource(ints = {0, 1, 3, 20, Integer.MAX_VALUE})
    void readsAheadUpToThePrefetch(int prefetch) {
        Reads reads = new Reads();
        int count = 10;
        try (SliceLoader<String> loader = reads.loader(prefetch, count)) {
            assertEquals(Math.min(prefetch, count), reads.begun.size());
            reads.endAtOnce();
            int step = 0;
            for (String tensor : loader) {
                assertEquals("step " + step, tensor);
                assertEquals(step, reads.released.size());
                step++;
                assertEquals(Math.min(count, (long) step + prefetch), reads.begun.size());
            }
            assertEquals(count, step);
        }
        assertEquals(count + 1, reads.released.size());
    }

    @Test
    void losesNoStepOnAnInterrupt() {
        Reads reads = new Reads();
        try (SliceLoader<String> loader = reads.loader(2, 3)) {
            Thread.currentThread().interrupt();
            assertThrows(CancellationException.class, loader.iterator()::next);
            assertTrue(Thread.interrupted());
            assertEquals(0, loader.nextStep());
            reads.end(0, 1);
            assertEquals("step 0", loader.iterator().next());
            assertEquals("step 1", loader.iterator().next());
            assertEquals(List.of("step 0"), reads.released);
        }
    }

    /** Tensors of completed and late reads are closed; the other reads are cancelled. */
    @Test
    void closesAndCancelsAllReadsOnClose() {
        Reads reads = new Reads();
        SliceLoader<String> loader = reads.loader(3, 9);
        reads.end(0, 2);
        assertEquals("step 0", loader.iterator().next());
        loader.close();
        assertEquals(List.of("step 0", "step 2", "the memory"), reads.released);
        assertTrue(reads.begun.get(1).isCancelled());
        assertTrue(reads.begun.get(3).isCancelled());
        loader.close(); // once more: there may be memory left
        assertEquals(List.of("step 0", "step 2", "the memory", "the memory"), reads.released);
        assertThrows(IllegalStateException.class, loader.iterator()::next);
        assertEquals(4, reads.begun.size());
    }
}
