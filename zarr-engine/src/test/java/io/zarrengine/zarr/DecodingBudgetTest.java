package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.Bombs.Layout;
import io.zarrengine.zarr.Bombs.Packing;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.extension.BytesDecoder;
import io.zarrengine.zarr.extension.CodecProvider;
import io.zarrengine.zarr.memory.MemoryBudget;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Chunks of unknown decoded size stay within the engine's budget. Fails if a small file makes the
 * engine allocate more memory than its budget.
 */
final class DecodingBudgetTest {
    private static final long BUDGET_BYTES = 16 << 20;
    private static final int SMALL = 1000;
    private static final int FITTING = 5_000_000; // far more than a worker has of its own
    private static final int HALF = FITTING / 2;
    private static final int BOMB = 20_000_000; // more than the budget

    private static final Pattern ENOUGH =
            Pattern.compile(" a budget of (\\d+) MiB \\(.*budgetBytes, or --memory \\1\\)$");

    @TempDir Path folder;

    /** Combines each packing and layout with both types, which swap workers from case to case. */
    private static Stream<Arguments> bombs() {
        List<Arguments> bombs = new ArrayList<>();
        String one = "string";
        String other = "bytes";
        for (Packing packing : Packing.values()) {
            for (Layout layout : Layout.values()) { // an odd number of layouts
                bombs.add(Arguments.of(packing, layout, one, 1));
                bombs.add(Arguments.of(packing, layout, other, 4));
                String last = one;
                one = other;
                other = last;
            }
        }
        return bombs.stream();
    }

    private static ZarrEngineBuilder builder(int workers) {
        return ZarrEngine.builder().workers(workers).budgetBytes(BUDGET_BYTES);
    }

    /** Reads the short element of each chunk: the result is small, but whole chunks are decoded. */
    private static String shortOnes(ZarrArray array) {
        try (VariableLengthTensor tensor = array.readVariableLength(Selection.of("1::2"))) {
            return String.join("", tensor.strings());
        }
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void readsOrRefusesSeveralAtOnce(Packing packing, Layout layout, String type, int workers)
            throws Exception {
        List<Path> paths = new ArrayList<>();
        for (List<Integer> lengths :
                List.of(
                        List.of(SMALL, SMALL, SMALL),
                        List.of(SMALL, FITTING, SMALL),
                        List.of(SMALL, BOMB, SMALL))) {
            Path path = folder.resolve("a" + paths.size());
            paths.add(Bombs.write(path, packing, layout, type, "", lengths));
        }
        MemoryBudget budget;
        try (ExecutorService threads = Executors.newFixedThreadPool(8); // ends after the engine
                ZarrEngine engine = builder(workers).open();
                ZarrArray small = engine.openArray(paths.get(0));
                ZarrArray fitting = engine.openArray(paths.get(1));
                ZarrArray bomb = engine.openArray(paths.get(2))) {
            budget = engine.resources().executor().budget();
            List<Future<String>> reads = new ArrayList<>();
            for (int i = 0; i < 4; i++) { // more reads than threads
                for (ZarrArray array : List.of(small, fitting, bomb)) {
                    reads.add(threads.submit(() -> shortOnes(array)));
                }
            }
            for (int i = 0; i < reads.size(); i += 3) {
                assertEquals("bbb", reads.get(i).get(30, TimeUnit.SECONDS));
                assertEquals("bbb", reads.get(i + 1).get(30, TimeUnit.SECONDS));
                assertRefused(reads.get(i + 2), paths.get(2), layout);
            }
            assertEquals("bbb", shortOnes(small));
            assertEquals("bbb", shortOnes(fitting));
            long ofCallers = workers * (5L << 18);
            assertTrue(budget.bytesReserved() <= ofCallers, () -> "" + budget.bytesReserved());
        }
        assertEquals(0, budget.bytesReserved());
    }

    private static void assertRefused(Future<String> read, Path path, Layout layout) {
        ExecutionException e =
                assertThrows(ExecutionException.class, () -> read.get(30, TimeUnit.SECONDS));
        assertInstanceOf(BudgetExceededException.class, e.getCause());
        String chunk =
                switch (layout) {
                    case CHUNKS -> "c/1 needs ";
                    case SHARD -> "c/0, inner chunk [1] needs ";
                    case WHOLE -> "c/0 needs ";
                };
        String message = e.getCause().getMessage();
        assertTrue(message.startsWith(path.resolve(chunk).toString()), message);
    }

    /** Looks at the budget while a chunk is in memory, both encoded and decoded. */
    private static final class Spy implements BytesDecoder {
        private final List<Long> lies = Collections.synchronizedList(new ArrayList<>());
        private ZarrEngine engine;

        CodecProvider provider() {
            return (name, configuration) ->
                    name.equals("spy") ? Optional.of(this) : Optional.empty();
        }

        @Override
        public long encodedBytesMax(long decodedBytes) {
            return decodedBytes;
        }

        @Override
        public long decode(MemorySegment encoded, MemorySegment target) {
            MemorySegment.copy(encoded, 0, target, 0, encoded.byteSize());
            long own = engine.resources().executor().options().workspaceBytes();
            lies.add(
                    target.byteSize()
                            - own
                            - engine.resources().executor().budget().bytesReserved());
            return encoded.byteSize();
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void reservesTheDecodedBytes(Layout layout) throws IOException {
        Path path =
                Bombs.write(
                        folder,
                        Packing.ZSTD,
                        layout,
                        "string",
                        ",{\"name\": \"spy\"}",
                        List.of(HALF));
        Spy spy = new Spy();
        try (ZarrEngine engine =
                        builder(1).codecs(spy.provider()).queues(UnaryOperator.identity()).open();
                ZarrArray array = engine.openArray(path)) {
            spy.engine = engine;
            assertEquals("b", shortOnes(array));
            assertTrue(Collections.max(spy.lies) <= 0, spy.lies::toString);
            assertEquals(0, engine.resources().executor().budget().bytesReserved());
        }
    }

    /**
     * Another holder has the memory that the chunk needs: it waits, and what it has placed stays.
     */
    @ParameterizedTest
    @EnumSource(Layout.class)
    void waitsForMemory(Layout layout) throws Exception {
        Path path =
                Bombs.write(
                        folder, Packing.GZIP, layout, "string", "", List.of(SMALL, FITTING, SMALL));
        try (ExecutorService thread = Executors.newSingleThreadExecutor(); // ends after the engine
                ZarrEngine engine = builder(1).queues(UnaryOperator.identity()).open();
                ZarrArray array = engine.openArray(path)) {
            MemoryBudget budget = engine.resources().executor().budget();
            assertTrue(budget.tryReserve(budget.bytesMax()));
            Future<String> read = thread.submit(() -> shortOnes(array));
            long begin = System.nanoTime();
            while (engine.metrics().chunksDecoded() < (layout == Layout.WHOLE ? 0 : 1)) {
                assertTrue(System.nanoTime() - begin < 30_000_000_000L, "nothing is decoded");
                Thread.onSpinWait();
            }
            Thread.sleep(50); // until it waits, as a rule
            assertFalse(read.isDone());
            budget.release(budget.bytesMax());
            assertEquals("bbb", read.get(30, TimeUnit.SECONDS));
            assertEquals(3, engine.metrics().chunksDecoded(), "each is placed once");
            assertEquals(0, budget.bytesReserved());
        }
    }

    /**
     * A compressed shard of compressed chunks starts again when a chunk lacks memory. Elements
     * placed before must not stay in the result, which may only be as large as the budget.
     */
    @Test
    void countsElementsOnceWhenTheyArePlacedAgain() throws IOException {
        List<Integer> lengths = List.of(3_900_000, 3_900_000, 5_000_000);
        Path path = Bombs.write(folder, Packing.GZIP, Layout.SHARD, "string", "", lengths);
        Path document = path.resolve("zarr.json");
        String text = Files.readString(document).stripTrailing();
        Files.writeString(
                document, text.substring(0, text.length() - 2) + "," + Packing.GZIP.codec() + "]}");
        Path shard = path.resolve("c/0");
        byte[] stored = Files.readAllBytes(shard);
        try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(shard))) {
            packed.write(stored);
        }
        try (ZarrEngine engine = builder(2).open();
                ZarrArray array = engine.openArray(path)) {
            for (int i = 0; i < 5; i++) {
                try (VariableLengthTensor all = array.readVariableLength(Selection.all())) {
                    assertEquals(12_800_003, all.content().byteSize());
                }
            }
        }
    }

    /** A result may be as large as the budget: it has many chunks, none of which is larger. */
    @Test
    void boundsAResultOfUnknownSize() throws IOException {
        List<Integer> lengths = Collections.nCopies(8, HALF);
        Path path = Bombs.write(folder, Packing.ZSTD, Layout.SHARD, "string", "", lengths);
        try (ZarrEngine engine = builder(2).open();
                ZarrArray array = engine.openArray(path)) {
            BudgetExceededException e =
                    assertThrows(
                            BudgetExceededException.class,
                            () -> array.readVariableLength(Selection.all()).close());
            assertTrue(e.getMessage().contains("inner chunk ["), e::getMessage);
            String available = " it can have " + BUDGET_BYTES + ": try a budget of 32 MiB (";
            assertTrue(e.getMessage().contains(available), e::getMessage);
            try (VariableLengthTensor some = array.readVariableLength(Selection.of(":10"))) {
                assertEquals(5L * (HALF + 1), some.content().byteSize());
            }
        }
    }

    /**
     * Returns how often the budget must be raised to the size in the refusal until a read succeeds.
     */
    private static int refusals(Path path, Consumer<ZarrArray> read) {
        long mebibytes = BUDGET_BYTES >> 20;
        for (int refusals = 0; ; refusals++) {
            try (ZarrEngine engine =
                            ZarrEngine.builder().workers(2).budgetBytes(mebibytes << 20).open();
                    ZarrArray array = engine.openArray(path)) {
                read.accept(array);
                return refusals;
            } catch (BudgetExceededException e) {
                Matcher said = ENOUGH.matcher(e.getMessage());
                assertTrue(said.find(), e::getMessage);
                assertTrue(Long.parseLong(said.group(1)) > mebibytes, e::getMessage);
                mebibytes = Long.parseLong(said.group(1));
            }
        }
    }

    /** With a known decoded size, the memory to read and decode a chunk is known. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "LITTLE, {'name':'gzip','configuration':{'level':1}}",
                "{'name':'transpose','configuration':{'order':[0]}}, LITTLE,"
                        + " {'name':'numcodecs.shuffle','configuration':{'elementsize':8}},"
                        + " {'name':'gzip','configuration':{'level':1}}",
                "LITTLE,"
                        + " {'name':'numcodecs.lz4','configuration':{'acceleration':1}},"
                        + " {'name':'zstd','configuration':{'level':0,'checksum':true}}",
            })
    void theBudgetThatARefusalNamesSuffices(String codecs) throws IOException {
        if (codecs.contains("lz4")) {
            assumeTrue(NativeLibrary.LIBLZ4.isAvailable(), "liblz4 encodes");
            assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        }
        long elements = 3 << 20;
        Path document = folder.resolve("zarr.json");
        String text =
                """
                {'zarr_format': 3, 'node_type': 'array', 'shape': [3145728], 'data_type': 'int64',
                 'chunk_grid': {'name':'regular','configuration':{'chunk_shape':[3145728]}},
                 'chunk_key_encoding': 'default', 'fill_value': 0, 'codecs': [%s]}
                """
                        .formatted(codecs)
                        .replace("LITTLE", "{'name':'bytes','configuration':{'endian':'little'}}")
                        .replace('\'', '"');
        Files.writeString(document, text);
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.openWriter(folder).writeAll((_, memory) -> fillCounting(memory));
        }
        assertEquals(
                1,
                refusals(
                        folder,
                        array -> {
                            try (HostTensor part = array.read(Selection.of("-3:"))) {
                                assertEquals(
                                        elements - 3, part.segment().get(JAVA_LONG_UNALIGNED, 0));
                            }
                        }));
    }

    private static void fillCounting(MemorySegment memory) {
        for (long i = 0; i < memory.byteSize() / 8; i++) {
            memory.set(JAVA_LONG_UNALIGNED, 8 * i, i);
        }
    }

    /** With an unknown decoded size, the budget at least doubles. */
    @Test
    void succeedsAfterRaisingTheBudgetWhenNoSizeIsKnown() throws IOException {
        Path path =
                Bombs.write(folder, Packing.GZIP, Layout.SHARD, "string", "", List.of(SMALL, BOMB));
        assertTrue(refusals(path, DecodingBudgetTest::shortOnes) <= 4);
    }

    /** JSON objects on the heap are many times their text: 600 kB are too much, 60 kB are not. */
    @Test
    void countsTheHeapThatElementsTake() throws IOException {
        Files.writeString(
                folder.resolve(".zarray"),
                """
                {"zarr_format": 2, "shape": [2], "chunks": [1], "dtype": "|O", "order": "C",
                 "fill_value": "", "compressor": null, "filters": [{"id": "json2"}]}
                """);
        for (int i = 0; i < 2; i++) {
            String lists = "[],".repeat(i == 0 ? 20_000 : 200_000);
            Files.writeString(
                    folder.resolve(Integer.toString(i)), "[[" + lists + "0], \"|O\", [1]]");
        }
        try (ZarrEngine engine = builder(1).queues(UnaryOperator.identity()).open();
                ZarrArray array = engine.openArray(folder)) {
            try (VariableLengthTensor tensor = array.readVariableLength(Selection.of("0"))) {
                assertEquals(2 + 3 * 20_000 + 1, tensor.string(0).length());
            }
            BudgetExceededException e =
                    assertThrows(
                            BudgetExceededException.class,
                            () -> array.readVariableLength(Selection.of("1")).close());
            assertTrue(e.getMessage().startsWith(folder.resolve("1 needs ").toString()));
            assertEquals(0, engine.resources().executor().budget().bytesReserved());
        }
    }
}
