package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.FormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays of strings, written by hand. */
final class VariableLengthReadTest {
    private static final String DOCUMENT =
            """
            {"zarr_format": 3, "node_type": "array", "shape": [3, 4], "data_type": "string",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2]}},
             "chunk_key_encoding": "default", "fill_value": "none", "codecs": [%s]}
            """;

    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static byte[] chunk(String... elements) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(number(elements.length));
        for (String element : elements) {
            byte[] text = element.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(number(text.length));
            bytes.writeBytes(text);
        }
        return bytes.toByteArray();
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(encoded)) {
            gzip.write(bytes);
        }
        return encoded.toByteArray();
    }

    private void write(String codecs, String key, byte[] chunk) throws IOException {
        Files.writeString(folder.resolve("zarr.json"), DOCUMENT.formatted(codecs));
        Files.createDirectories(folder.resolve(key).getParent());
        Files.write(folder.resolve(key), chunk);
    }

    private List<String> read(String slice) {
        try (ZarrArray array = engine.openArray(folder);
                VariableLengthTensor tensor = array.readVariableLength(Selection.of(slice))) {
            return List.copyOf(tensor.strings());
        }
    }

    @Test
    void readsStoredElementsAndFillsTheRest() throws IOException {
        write("\"vlen-utf8\"", "c/0/0", chunk("a", "é", "", "long ".repeat(50)));
        write("\"vlen-utf8\"", "c/1/1", chunk("x", "y", "outside", "outside"));
        assertEquals(List.of("a", "é", "none", "none"), read("0"));
        assertEquals(List.of("none", "none", "x", "y"), read("2"));
        assertEquals(List.of("é", "long ".repeat(50), "none"), read(":, 1"));
        assertEquals(List.of("y", "none", "none"), read("::-1, 3"));
        assertEquals(List.of(), read("0:0"));
    }

    @Test
    void readsTheSameAsynchronously() throws IOException {
        write("\"vlen-utf8\"", "c/0/0", chunk("a", "é", "", "long ".repeat(50)));
        try (ZarrArray array = engine.openArray(folder)) {
            for (String slice : List.of("...", "0", "::-1, 1", "0:0")) {
                Selection selection = Selection.of(slice);
                try (VariableLengthTensor tensor =
                        array.readVariableLengthAsync(selection).join()) {
                    assertEquals(read(slice), List.copyOf(tensor.strings()));
                    assertArrayEquals(array.shapeOf(selection), tensor.shape());
                }
            }
        }
    }

    /** A waiting caller and a listener may both want to order the elements: it happens once. */
    @Test
    void ordersTheElementsOnceForManyCallers() throws Exception {
        write("\"vlen-utf8\"", "c/0/0", chunk("a", "b", "c", "d"));
        try (ZarrArray array = engine.openArray(folder)) {
            for (int i = 0; i < 1000; i++) {
                CompletableFuture<VariableLengthTensor> read =
                        array.readVariableLengthAsync(Selection.of("0"));
                LockSupport.parkNanos(i % 100 * 2_000L);
                CompletableFuture<Integer> first = read.thenApply(t -> t.strings().indexOf("a"));
                Thread other = Thread.ofPlatform().start(read::join);
                try (VariableLengthTensor tensor = read.join()) {
                    assertEquals(List.of("a", "b", "none", "none"), tensor.strings());
                    assertEquals(0, first.join());
                    other.join();
                }
            }
        }
    }

    @Test
    void cancelsAnAsynchronousRead() throws Exception {
        write("\"vlen-utf8\"", "c/0/0", chunk("a", "b", "c", "d"));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        WatchedReads.Watcher holdUp =
                read -> {
                    begun.countDown();
                    gate.await();
                };
        try (ZarrEngine held =
                        ZarrEngine.builder()
                                .workers(1)
                                .queues(queues -> WatchedReads.of(queues, holdUp))
                                .open();
                ZarrArray array = held.openArray(folder)) {
            var read = array.readVariableLengthAsync(Selection.of(":2, :2"));
            begun.await();
            assertTrue(read.cancel(true));
            assertFalse(read.isDone(), "the worker still gathers");
            gate.countDown();
            assertThrows(CancellationException.class, read::join);
            array.readVariableLengthAsync(Selection.of("0")).join().close();
        }
    }

    @Test
    void failsAsynchronouslyLikeABlockingRead() throws IOException {
        write("\"vlen-utf8\"", "c/0/0", chunk("a", "b", "c"));
        ZarrArray array = engine.openArray(folder);
        CompletionException e =
                assertThrows(
                        CompletionException.class,
                        array.readVariableLengthAsync(Selection.all())::join);
        assertInstanceOf(CorruptChunkException.class, e.getCause());
        array.close();
        assertThrows(ClosedException.class, () -> array.readVariableLengthAsync(Selection.all()));
    }

    @Test
    void readsATransposedChunk() throws IOException {
        String codecs =
                "{\"name\": \"transpose\", \"configuration\": {\"order\": [1, 0]}}, \"vlen-utf8\"";
        write(codecs, "c/0/0", chunk("00", "10", "01", "11"));
        assertEquals(List.of("00", "01"), read("0, :2"));
    }

    /** The decoded size of a chunk is not known: the first target is too small. */
    @Test
    void decodesAChunkMuchLargerThanEncoded() throws IOException {
        String large = "x".repeat(3_000_000);
        String codecs = "\"vlen-utf8\", {\"name\": \"gzip\", \"configuration\": {\"level\": 1}}";
        write(codecs, "c/0/0", gzip(chunk("a", large, "b", "c")));
        assertEquals(List.of("a", large), read("0, :2"));
        assertEquals(List.of("b"), read("1, 0"));
    }

    @Test
    void laysElementsOutInOrder() throws IOException {
        write("\"vlen-utf8\"", "c/0/0", chunk("a", "bc", "", "def"));
        try (ZarrArray array = engine.openArray(folder);
                VariableLengthTensor tensor = array.readVariableLength(Selection.of(":2, :2"))) {
            assertEquals(VariableLengthType.STRING, tensor.dataType());
            assertArrayEquals(new long[] {2, 2}, tensor.shape());
            assertEquals(4, tensor.size());
            long[] offsets = tensor.offsets().toArray(ValueLayout.JAVA_LONG);
            assertArrayEquals(new long[] {0, 1, 3, 3, 6}, offsets);
            assertEquals(6, tensor.content().byteSize());
            assertArrayEquals(new byte[] {'b', 'c'}, tensor.bytes(1));
            assertThrows(IndexOutOfBoundsException.class, () -> tensor.string(4));
        }
    }

    @Test
    void namesACorruptChunk() throws IOException {
        write("\"vlen-utf8\"", "c/0/0", chunk("a", "b", "c"));
        CorruptChunkException e = assertThrows(CorruptChunkException.class, () -> read("..."));
        assertTrue(e.getMessage().contains("c/0/0"), e::getMessage);
        assertTrue(e.getMessage().contains("hold 3 elements, expected 4"), e::getMessage);
    }

    /** numcodecs refuses it too, even if only other elements of the chunk are wanted. */
    @Test
    void refusesTextThatIsNotUtf8() throws IOException {
        byte[] chunk = chunk("a", "bé", "c", "d");
        chunk[4 + 5 + 4 + 1] = (byte) 0xff; // the first byte of é
        write("\"vlen-utf8\"", "c/0/0", chunk);
        for (String slice : List.of("...", "0, 0")) {
            CorruptChunkException e = assertThrows(CorruptChunkException.class, () -> read(slice));
            assertTrue(e.getMessage().contains(folder.resolve("c/0/0").toString()), e::getMessage);
            assertTrue(
                    e.getMessage().contains("element 1 is not UTF-8: byte 0xff at offset 1 of its"),
                    e::getMessage);
        }
    }

    /** Elements of bytes may hold anything, but then they are no text. */
    @Test
    void refusesToReadBytesAsText() throws IOException {
        byte[] chunk = chunk("a", "bé", "c", "d");
        chunk[4 + 5 + 4 + 1] = (byte) 0xff;
        write("\"vlen-bytes\"", "c/0/0", chunk);
        String document = Files.readString(folder.resolve("zarr.json"));
        Files.writeString(
                folder.resolve("zarr.json"),
                document.replace("\"string\"", "\"bytes\"").replace("\"none\"", "\"w6k=\""));
        try (ZarrArray array = engine.openArray(folder);
                VariableLengthTensor tensor = array.readVariableLength(Selection.of("0"))) {
            assertEquals("a", tensor.string(0));
            assertArrayEquals(new byte[] {'b', (byte) 0xff, (byte) 0xa9}, tensor.bytes(1));
            IllegalStateException e =
                    assertThrows(IllegalStateException.class, () -> tensor.string(1));
            assertEquals("element 1 of the type bytes is not UTF-8", e.getMessage());
            assertEquals("é", tensor.string(2), "the fill value");
        }
    }

    @Test
    void refusesAFillValueOfHalfACharacter() throws IOException {
        String document = DOCUMENT.formatted("\"vlen-utf8\"").replace("none", "\\ud800");
        Files.writeString(folder.resolve("zarr.json"), document);
        FormatException e = assertThrows(FormatException.class, () -> engine.openArray(folder));
        assertTrue(e.getMessage().contains("fill_value is "), e::getMessage);
        assertTrue(e.getMessage().contains("half of a surrogate pair"), e::getMessage);
    }

    /** The decoded form of a filtered chunk has descriptors: its fill value is the array's own. */
    @Test
    void fillsMissingInnerChunksBelowAFilter() throws IOException {
        String codecs =
                """
                {"name": "reshape", "configuration": {"shape": [4]}},
                {"name": "sharding_indexed", "configuration": {"chunk_shape": [2],
                    "codecs": ["vlen-utf8"],
                    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}
                """;
        ByteArrayOutputStream shard = new ByteArrayOutputStream();
        byte[] inner = chunk("x", "yz");
        shard.writeBytes(inner);
        ByteBuffer index = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        shard.writeBytes(index.putLong(-1).putLong(-1).putLong(0).putLong(inner.length).array());
        write(codecs, "c/0/0", shard.toByteArray());
        assertEquals(List.of("none", "none", "x", "yz"), read(":2, :2"));
    }

    @Test
    void refusesTheMethodOfAnotherKindOfElements() throws IOException {
        write("\"vlen-utf8\"", "c/0/0", chunk("a", "b", "c", "d"));
        try (ZarrArray array = engine.openArray(folder)) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> array.read(Selection.all()));
            assertTrue(e.getMessage().contains("use readVariableLength"), e::getMessage);
            assertThrows(IllegalArgumentException.class, () -> array.readAsync(Selection.all()));
        }
        String numbers = DOCUMENT.replace("\"string\"", "\"int8\"").replace("\"none\"", "0");
        Files.writeString(folder.resolve("zarr.json"), numbers.formatted("\"bytes\""));
        try (ZarrArray array = engine.openArray(folder)) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> array.readVariableLength(Selection.all()));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> array.readVariableLengthAsync(Selection.all()));
        }
    }

    /** Half a million short strings: short contents share blocks, long ones have their own. */
    @Test
    void readsManyElements() throws IOException {
        String[] elements = new String[500_000];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = i % 100_000 == 7 ? "long ".repeat(100_000) : Integer.toString(i);
        }
        String document = DOCUMENT.replace("[3, 4]", "[500000]").replace("[2, 2]", "[500000]");
        write("\"vlen-utf8\"", "c/0", chunk(elements));
        Files.writeString(folder.resolve("zarr.json"), document.formatted("\"vlen-utf8\""));
        assertEquals(List.of(elements), read("..."));
        assertEquals(List.of("499999", "399999"), read("-1:300000:-100000"));
    }
}
