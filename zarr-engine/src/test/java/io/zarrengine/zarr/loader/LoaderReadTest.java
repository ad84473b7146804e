package io.zarrengine.zarr.loader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.NativeUse;
import io.zarrengine.zarr.RandomMetadata;
import io.zarrengine.zarr.SampleArray;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.SingleReads;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A loader delivers what single reads of its samples do. Fails if a batch has other elements. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LoaderReadTest {
    @TempDir private static Path folder;

    private ZarrEngine engine;
    private ZarrArray array; // of 120 x 200
    private ZarrArray other; // of the same shape

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
        array = write("array", NumericType.INT16);
        other = write("other", NumericType.FLOAT32);
    }

    private ZarrArray write(String name, NumericType type) {
        SampleArray sample =
                SampleArray.writeShards(engine, folder.resolve(name), type, CodecSpec.bytes());
        return engine.openArray(sample.path());
    }

    @AfterAll
    void close() {
        array.close();
        other.close();
        engine.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void readsWhatSingleReadsDo(long seed, @TempDir Path own) {
        SplittableRandom random = new SplittableRandom(seed);
        ArrayMetadata metadata = new RandomMetadata(random).next();
        SampleArray sample = SampleArray.write(engine, own.resolve("array"), metadata);
        try (ZarrArray any = engine.openArray(sample.path())) {
            List<Selection> samples = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                samples.add(SingleReads.randomBox(random, any.shape()));
            }
            int size = 1 + random.nextInt(4);
            LoaderBuilder options =
                    Loader.of(any, Sampler.of(samples)).prefetch(random.nextInt(5)).batch(size);
            int begin = 0;
            try (Loader<HostTensor> loader = options.open()) {
                for (Batch<HostTensor> batch : loader) {
                    int end = Math.min(samples.size(), begin + size);
                    List<Selection> together = samples.subList(begin, end);
                    try (HostTensor expected = any.read(together)) {
                        assertArrayEquals(expected.shape(), batch.tensor().shape());
                        assertArrayEquals(bytes(expected), bytes(batch.tensor()));
                    }
                    assertArrayEquals(SingleReads.oneByOne(any, together), bytes(batch.tensor()));
                    begin = end;
                }
            }
            assertEquals(samples.size(), begin);
        }
    }

    private static byte[] bytes(HostTensor tensor) {
        return tensor.segment().toArray(JAVA_BYTE);
    }

    /** Rows in turn, without end; the last one is outside the array. */
    private static final Sampler ROWS =
            number -> Selection.box(new long[] {number % 121, 0}, new long[] {1, 200});

    private byte[] rows(long... numbers) {
        List<Selection> samples = new ArrayList<>();
        for (long number : numbers) {
            samples.add(ROWS.get(number));
        }
        return SingleReads.oneByOne(array, samples);
    }

    /** A loader that resumes with another batch size goes on with the next sample. */
    @Test
    void resumesAtASample() {
        LoaderState state;
        try (Loader<HostTensor> loader = Loader.of(array, ROWS).prefetch(3).batch(2).open()) {
            Iterator<Batch<HostTensor>> batches = loader.iterator();
            batches.next();
            batches.next();
            state = LoaderState.parse(loader.state().toJson());
        }
        assertEquals(new LoaderState(0, 4), state);
        try (Loader<HostTensor> loader = Loader.of(array, ROWS).batch(3).from(state).open()) {
            Batch<HostTensor> third = loader.iterator().next();
            assertArrayEquals(rows(4, 5, 6), bytes(third.tensor()));
            assertArrayEquals(new long[] {4, 5, 6}, third.samples());
            assertTrue(loader.iterator().hasNext());
        }
        try (Loader<HostTensor> loader = Loader.of(array, Sampler.of(List.of())).open()) {
            assertFalse(loader.iterator().hasNext());
            assertThrows(NoSuchElementException.class, loader.iterator()::next);
        }
    }

    /** Arrays of one loader are read at the same numbers, each by its own sampler. */
    @Test
    void readsSeveralArraysInAStep() {
        Map<String, ZarrArray> arrays = new TreeMap<>(Map.of("a", array, "b", other));
        Sampler now = Sampler.windows(array.shape(), 0, 1, 1);
        Sampler later = number -> Selection.of("%d:%d".formatted(number + 3, number + 4));
        Sampler first = Sampler.of(List.of(now.get(0), now.get(1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> Loader.of(arrays, now).add("c", array, first));
        assertThrows(
                IllegalArgumentException.class, () -> Loader.of(arrays, now).add("a", other, now));
        Sampler endless = number -> Selection.of("%d:%d".formatted(number, number + 1));
        try (Loader<HostTensor> loader =
                Loader.of(arrays, endless).add("c", array, later).batch(2).open()) {
            loader.skip();
            Batch<HostTensor> second = loader.iterator().next();
            List<Selection> rows = List.of(now.get(2), now.get(3));
            assertEquals(List.of("a", "b", "c"), List.copyOf(second.tensors().keySet()));
            assertArrayEquals(SingleReads.oneByOne(array, rows), bytes(second.get("a")));
            assertArrayEquals(SingleReads.oneByOne(other, rows), bytes(second.get("b")));
            rows = List.of(now.get(5), now.get(6));
            assertArrayEquals(SingleReads.oneByOne(array, rows), bytes(second.get("c")));
        }
    }

    /**
     * A failed step stays the next one until the caller skips it; the steps after it are intact.
     */
    @Test
    void keepsAFailedStepUntilItIsSkipped() {
        LoaderBuilder options = Loader.of(array, ROWS).prefetch(3).from(new LoaderState(0, 119));
        try (Loader<HostTensor> loader = options.open()) {
            Iterator<Batch<HostTensor>> batches = loader.iterator();
            batches.next();
            for (int i = 0; i < 2; i++) {
                IndexOutOfBoundsException e =
                        assertThrows(IndexOutOfBoundsException.class, batches::next);
                String expected =
                        "sample 120 of " + array.path() + ": a box of length 1 at 120 reaches";
                assertTrue(e.getMessage().startsWith(expected), e::getMessage);
                assertEquals(new LoaderState(0, 120), loader.state());
            }
            loader.skip();
            assertArrayEquals(rows(0), bytes(batches.next().tensor()));
        }
    }

    @Test
    void throwsTheExceptionsOfTheSampler() {
        Sampler failing =
                number ->
                        switch ((int) number) {
                            case 0 -> throw new CancellationException("of the sampler");
                            case 1 -> throw new AssertionError("a bug");
                            case 2 -> Selection.of("0");
                            case 3 -> null;
                            default -> Selection.of("0, 0, 0");
                        };
        try (Loader<HostTensor> loader = Loader.of(array, failing).prefetch(1).open()) {
            Iterator<Batch<HostTensor>> batches = loader.iterator();
            assertThrows(CancellationException.class, batches::next);
            loader.skip();
            assertThrows(AssertionError.class, batches::next);
            loader.skip();
            assertArrayEquals(new long[] {1, 200}, batches.next().tensor().shape());
            NullPointerException none = assertThrows(NullPointerException.class, batches::next);
            assertEquals("sample 3 of " + array.path() + " is null", none.getMessage());
            loader.skip();
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, batches::next);
            assertTrue(e.getMessage().startsWith("sample 4 of " + array.path()), e::getMessage);
        }
    }

    /** The loader owns the memory of a batch: a kept segment ends with the loader. */
    @Test
    void invalidatesABatchWhenTheNextIsTaken() {
        HostTensor last;
        MemorySegment kept;
        try (Loader<HostTensor> loader = Loader.of(array, ROWS).open()) {
            HostTensor first = loader.iterator().next().tensor();
            kept = first.segment();
            last = loader.iterator().next().tensor();
            assertThrows(IllegalStateException.class, first::segment);
            assertThrows(IllegalStateException.class, () -> first.getLong(0, 0, 0));
            bytes(last);
        }
        assertThrows(IllegalStateException.class, last::segment);
        assertFalse(kept.scope().isAlive());
    }

    /** Memory that is too small for a batch is replaced; a failed step returns its memory. */
    @Test
    void reusesMemoryForBatchesOfAllSizes() throws IOException {
        SampleArray sample = SampleArray.writeDamaged(engine, folder.resolve("damaged"), "c/1/1");
        List<String> sizes = List.of("0:9", "0:60", "0:120", "3:5", "60:120", "0:60");
        List<Selection> samples = sizes.stream().map(rows -> Selection.of(rows + ", :")).toList();
        try (ZarrArray any = engine.openArray(sample.path());
                Loader<HostTensor> loader = Loader.of(any, Sampler.of(samples)).open()) {
            Iterator<Batch<HostTensor>> batches = loader.iterator();
            for (Selection one : samples) {
                try {
                    byte[] expected = SingleReads.oneByOne(any, List.of(one));
                    assertArrayEquals(expected, bytes(batches.next().tensor()));
                } catch (CorruptChunkException e) {
                    assertThrows(CorruptChunkException.class, batches::next);
                    loader.skip();
                }
            }
            assertFalse(batches.hasNext());
        }
    }

    /** Batches go to the caller's memory, to no more of it than the ring, and it stays valid. */
    @Test
    void readsToTheCallersMemory() {
        List<Long> allocated = new ArrayList<>();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment last;
            try (Loader<HostTensor> loader =
                    Loader.of(array, ROWS)
                            .batch(2)
                            .prefetch(2)
                            .memory((bytes, alignment) -> {
                                allocated.add(bytes);
                                return arena.allocate(bytes, alignment);
                            })
                            .open()) {
                Iterator<Batch<HostTensor>> batches = loader.iterator();
                for (int i = 0; i < 20; i++) {
                    batches.next();
                }
                last = batches.next().tensor().segment();
                assertEquals(List.of(800L, 800L, 800L), allocated);
            }
            assertArrayEquals(rows(40, 41), last.toArray(JAVA_BYTE));
        }
    }

    /**
     * Fault: when batches in use are closed, those that found no memory when they were read ahead
     * fail, and those after them have taken it.
     */
    @Test
    void aBatchThatFoundNoMemoryIsReadAgain() {
        try (Arena arena = Arena.ofShared()) {
            SegmentAllocator three = SegmentAllocator.slicingAllocator(arena.allocate(3 * 800, 64));
            try (Loader<HostTensor> loader =
                    Loader.of(array, ROWS)
                            .batch(2)
                            .prefetch(3)
                            .memory((bytes, alignment) -> {
                                try {
                                    return three.allocate(bytes, 1);
                                } catch (IndexOutOfBoundsException e) {
                                    throw OutOfMemoryException.ofResult("a batch", bytes, e);
                                }
                            })
                            .open()) {
                List<Batch<HostTensor>> inUse = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    inUse.add(loader.take());
                }
                for (int i = 0; i < 2; i++) {
                    assertThrows(OutOfMemoryException.class, loader::take);
                }
                inUse.forEach(Batch::close);
                for (int i = 3; i < 12; i++) {
                    try (Batch<HostTensor> batch = loader.take()) {
                        assertArrayEquals(rows(2L * i, 2L * i + 1), bytes(batch.tensor()));
                    }
                }
            }
        }
    }

    @Test
    void refusesMemoryThatWorkersCannotWrite() {
        try (Arena own = Arena.ofConfined();
                Loader<HostTensor> loader = Loader.of(array, ROWS).memory(own).open()) {
            assertThrows(IllegalArgumentException.class, loader.iterator()::next);
        }
        LoaderBuilder onHeap =
                Loader.of(array, ROWS)
                        .memory((bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes]));
        try (Loader<HostTensor> loader = onHeap.open()) {
            assertThrows(IllegalArgumentException.class, loader.iterator()::next);
        }
    }

    /** A close during a native call fails, and a later close frees the memory. */
    @Test
    void freesMemoryInUseByANativeCallLater() throws Exception {
        Loader<HostTensor> loader = Loader.of(array, ROWS).prefetch(3).open();
        MemorySegment kept = loader.iterator().next().tensor().segment();
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
        try (Loader<HostTensor> loader = Loader.of(array, ROWS).prefetch(0).open()) {
            long address;
            try (HostTensor first = loader.iterator().next().tensor()) {
                address = first.segment().address();
            }
            HostTensor second = loader.iterator().next().tensor();
            assertEquals(address, second.segment().address());
            assertArrayEquals(rows(1), bytes(second));
        }
    }

    /** Closing the array ends all reads, but loses no step. */
    @Test
    void losesNoStepWhenTheArrayCloses() {
        ZarrArray closing = engine.openArray(array.path());
        try (Loader<HostTensor> loader = Loader.of(closing, ROWS).prefetch(1).open()) {
            try (closing) {
                loader.iterator().next();
            }
            loader.iterator().next(); // was read ahead
            for (int i = 0; i < 3; i++) {
                assertThrows(ClosedException.class, loader.iterator()::next);
                assertEquals(new LoaderState(0, 2), loader.state());
            }
        }
    }

    @Test
    void refusesOptionsThatDoNotFit() {
        Sampler ten = Sampler.windows(array.shape(), 0, 12, 12);
        List<LoaderBuilder> bad =
                List.of(
                        new LoaderBuilder(),
                        Loader.of(array, ROWS).shuffle(1),
                        Loader.of(array, ten).epochLength(5),
                        Loader.of(array, ten).rank(0, 4, EpochEnd.DROP).batch(3),
                        Loader.of(array, ten).from(new LoaderState(0, 11)));
        for (LoaderBuilder each : bad) {
            assertThrows(IllegalArgumentException.class, each::open);
        }
        Target one = Target.cuda(0).into(4096, 1 << 20);
        LoaderBuilder good = Loader.of(array, ROWS);
        assertThrows(IllegalArgumentException.class, () -> good.open(one));
        assertThrows(IllegalArgumentException.class, () -> good.batch(0));
        assertThrows(IllegalArgumentException.class, () -> good.prefetch(-1));
        assertThrows(IllegalArgumentException.class, () -> good.rank(2, 2, EpochEnd.PAD));
        assertThrows(IllegalArgumentException.class, () -> good.epochs(0));
    }
}
