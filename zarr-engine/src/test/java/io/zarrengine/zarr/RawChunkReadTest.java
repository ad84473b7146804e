package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Chunks of elements that are stored as they are: only the wanted bytes are read, large chunks slab
 * by slab. The slow twin is the same elements in compressed chunks.
 */
final class RawChunkReadTest {
    /**
     * Chunks of at least two slabs: of rows, of planes, of a part of a row; and chunks that do not
     * divide. The inner chunks of the last shape are read whole, many in one stretch.
     */
    private static final long[][] SHAPES = {
        {300, 500}, {37, 61, 70}, {3, 140_000}, {5, 4, 3, 2500}, {20, 30, 40}
    };

    private static final long[] ROWS = {390, 900}; // 3 slabs, in a file too small to be mapped

    @TempDir private Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private SampleArray write(String name, long[] shape, long[] chunkShape, CodecSpec... codecs) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT16, shape)
                        .chunkShape(chunkShape)
                        .codecs(List.of(codecs))
                        .build();
        return SampleArray.write(engine, folder.resolve(name), metadata);
    }

    /** Writes an array in a layout: one chunk, chunks, or inner chunks of shards. */
    private SampleArray write(String name, long[] shape, String layout) {
        int[] reversed = new int[shape.length];
        for (int d = 0; d < shape.length; d++) {
            reversed[d] = shape.length - 1 - d;
        }
        CodecSpec[] codecs =
                layout.endsWith("transposed")
                        ? new CodecSpec[] {CodecSpec.transpose(reversed), CodecSpec.bytes()}
                        : new CodecSpec[] {CodecSpec.bytes()};
        long[] thirds = thirds(shape);
        long[] shard = LongStream.of(thirds).map(length -> 3 * length).toArray();
        return switch (layout) {
            case "one chunk", "one chunk, transposed" -> write(name, shape, shape, codecs);
            case "chunks", "chunks, transposed" -> write(name, shape, thirds, codecs);
            case "inner chunks", "inner chunks, transposed" ->
                    write(name, shape, shard, CodecSpec.sharding(thirds, codecs));
            case "one inner chunk" -> write(name, shape, shape, CodecSpec.sharding(shape, codecs));
            default -> throw new IllegalArgumentException(layout);
        };
    }

    private static long[] thirds(long[] shape) {
        return LongStream.of(shape).map(length -> Math.ceilDiv(length, 3)).toArray();
    }

    @ParameterizedTest(name = "shape {0}, {1}, seed {2}")
    @CsvSource({
        "0, one chunk, 1",
        "1, one chunk, 2",
        "2, one chunk, 3",
        "3, one chunk, 4",
        "0, 'one chunk, transposed', 5",
        "1, 'one chunk, transposed', 6",
        "3, 'one chunk, transposed', 7",
        "0, chunks, 8",
        "1, 'chunks, transposed', 9",
        "0, inner chunks, 10",
        "1, inner chunks, 11",
        "3, inner chunks, 12",
        "0, 'inner chunks, transposed', 13",
        "1, 'inner chunks, transposed', 14",
        "0, one inner chunk, 15",
        "3, one inner chunk, 16",
        "4, inner chunks, 17",
        "4, 'inner chunks, transposed', 18",
    })
    void readsWhatCompressedChunksHold(int number, String layout, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] shape = SHAPES[number];
        SampleArray raw = write("raw", shape, layout);
        SampleArray expected =
                write("small", shape, thirds(shape), CodecSpec.bytes(), CodecSpec.gzip(1));
        try (ZarrArray array = engine.openArray(raw.path());
                ZarrArray twin = engine.openArray(expected.path())) {
            compare(array, twin, Selection.all());
            for (int i = 0; i < 12; i++) {
                compare(array, twin, random(random, shape));
            }
            List<Selection> batch = List.of(random(random, shape), random(random, shape));
            byte[] actual = new byte[(int) array.bytesOf(batch)];
            array.read(batch, MemorySegment.ofArray(actual));
            byte[] twins = new byte[actual.length];
            twin.read(batch, MemorySegment.ofArray(twins));
            assertArrayEquals(twins, actual);
        }
    }

    private static void compare(ZarrArray array, ZarrArray twin, Selection selection) {
        try (HostTensor expected = twin.read(selection);
                HostTensor actual = array.read(selection)) {
            assertArrayEquals(
                    expected.segment().toArray(JAVA_BYTE),
                    actual.segment().toArray(JAVA_BYTE),
                    selection.toString());
        }
    }

    private static Selection random(SplittableRandom random, long[] shape) {
        DimensionSelection[] parts = new DimensionSelection[shape.length];
        for (int d = 0; d < shape.length; d++) {
            long from = random.nextLong(shape[d]);
            long to = from + 1 + random.nextLong(shape[d] - from);
            parts[d] =
                    switch (random.nextInt(4)) {
                        case 0 -> DimensionSelection.slice(from, to, 1 + random.nextLong(3));
                        case 1 -> DimensionSelection.slice(null, null, -1 - random.nextLong(9));
                        case 2 -> DimensionSelection.indexes(from, to - 1);
                        default -> DimensionSelection.range(from, to);
                    };
        }
        return Selection.orthogonal(parts);
    }

    /** A run that is one run in the target too is read there, without queue or copy. */
    @Test
    void readsWholeRowsStraightToTheTarget() {
        assumeReadsStraight();
        SampleArray large = write("large", ROWS, ROWS, CodecSpec.bytes());
        AtomicInteger reads = new AtomicInteger();
        try (ZarrEngine counted = WatchedReads.openCounting(reads);
                ZarrArray array = counted.openArray(large.path());
                Arena arena = Arena.ofShared()) {
            BoxPositions rows = rows(100, 280, 900); // 504,000 bytes, 3 slabs
            assertReads(large, array, rows, arena);
            assertEquals(0, reads.get());
            long bytes = 280 * 1800;
            assertEquals(bytes, counted.metrics().bytesRead());
            assertEquals(bytes, counted.metrics().bytesDelivered());
            assertReads(large, array, rows(100, 280, 899), arena);
            assertEquals(3, reads.get(), "bytes between the rows that nobody wants");
            assertReads(large, array, rows(0, 36, 900), arena);
            assertEquals(4, reads.get(), "less than 64 KiB");
            assertReads(large, array, rows(0, 37, 900), arena);
            assertEquals(4, reads.get());
        }
    }

    /** Rows with gaps between them in the target, where other data lies. */
    @ParameterizedTest
    @CsvSource({"128, true", "127, false"}) // columns of 4 bytes: rows of 512 bytes, and less
    void readsLongRowsStraightToTheTarget(int columns, boolean isStraight) {
        assumeReadsStraight();
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT32, 700, 2L * columns)
                        .chunkShape(700, columns)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        SampleArray sample = SampleArray.write(engine, folder.resolve("rows"), metadata);
        AtomicInteger reads = new AtomicInteger();
        try (ZarrEngine counted = WatchedReads.openCounting(reads);
                ZarrArray array = counted.openArray(sample.path());
                Arena arena = Arena.ofShared()) {
            assertReads(sample, array, rows(0, 700, 2L * columns), arena);
            assertEquals(isStraight, reads.get() == 0, () -> reads + " reads");
            assertReads(sample, array, rows(50, 600, 2L * columns - 1), arena);
        }
    }

    private static void assumeReadsStraight() {
        assumeTrue(ReadBackend.unavailabilityCause(ReadBackend.Method.IO_URING).isEmpty());
        assumeTrue(System.getProperty("io.zarrengine.mapping") == null, "small files are mapped");
    }

    private static BoxPositions rows(long from, long count, long columns) {
        long[] ones = {1, 1};
        return new BoxPositions(new long[] {from, 0}, new long[] {count, columns}, ones);
    }

    private static void assertReads(
            SampleArray sample, ZarrArray array, BoxPositions box, Arena arena) {
        byte[] expected = sample.expected(box);
        GuardedMemory target = new GuardedMemory(arena, expected.length);
        array.readAsync(box.selection(), target.segment()).join();
        assertArrayEquals(expected, target.segment().toArray(JAVA_BYTE));
        target.assertIntact();
    }

    /** A read of a few rows does not read the rest of the chunk. */
    @Test
    void readsOnlyFromTheFirstToTheLastWantedByte() {
        SampleArray large = write("large", ROWS, ROWS, CodecSpec.bytes());
        try (ZarrArray array = engine.openArray(large.path())) {
            EngineMetrics before = engine.metrics();
            array.readAsync(Selection.of("100:110, 5:890")).join().close();
            EngineMetrics after = engine.metrics();
            assertEquals(2 * (9 * 900 + 885), after.bytesRead() - before.bytesRead());
            assertEquals(1, after.chunksDecoded() - before.chunksDecoded());
        }
    }

    /**
     * Reads elements 40 to 50 of 130 rows of an inner chunk and of its neighbour, without a gap
     * between.
     */
    @ParameterizedTest
    @ValueSource(strings = {"chunks", "inner chunks"})
    void readsNoMoreOfSmallChunks(String layout) {
        SampleArray sample = write("small", ROWS, layout);
        try (ZarrArray array = engine.openArray(sample.path())) {
            array.read(Selection.of("0, 0")).close(); // then a shard's index is known
            EngineMetrics before = engine.metrics();
            array.readAsync(Selection.of("40:50, 20:640")).join().close();
            EngineMetrics after = engine.metrics();
            assertEquals(
                    2 * ((9 * 300 + 280) + 10 * 300 + (9 * 300 + 40)),
                    after.bytesRead() - before.bytesRead());
            assertEquals(3, after.chunksDecoded() - before.chunksDecoded());
        }
    }

    @Test
    void readsALargeInnerChunkStraightToTheTarget() {
        assumeReadsStraight();
        SampleArray sample = write("large", ROWS, "one inner chunk");
        AtomicInteger reads = new AtomicInteger();
        try (ZarrEngine counted = WatchedReads.openCounting(reads);
                ZarrArray array = counted.openArray(sample.path());
                Arena arena = Arena.ofShared()) {
            assertReads(sample, array, rows(100, 280, 900), arena);
            assertEquals(1, reads.get(), "the index");
        }
    }

    @Test
    void namesATruncatedChunk() throws IOException {
        SampleArray large = write("large", ROWS, ROWS, CodecSpec.bytes());
        try (ZarrArray array = engine.openArray(large.path())) {
            array.read(Selection.of("0, 0")).close(); // opened while it was whole
            Path file = large.path().resolve("c/0/0");
            try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
                cut.setLength(1000);
            }
            CorruptChunkException e =
                    assertThrows(
                            CorruptChunkException.class,
                            () -> array.read(Selection.of("300:390")).close());
            assertTrue(e.getMessage().contains(file.toString()), e::getMessage);
            assertTrue(e.getMessage().contains("the file ends after"), e::getMessage);
        }
    }
}
