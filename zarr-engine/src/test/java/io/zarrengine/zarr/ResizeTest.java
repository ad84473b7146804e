package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkKeyEncoding;
import io.zarrengine.zarr.metadata.GroupMetadata;
import io.zarrengine.zarr.objectstore.MemoryStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Changes of a document and what belongs to them. Fails if elements that were cut off come back,
 * files of others are deleted, or a document loses what another program wrote.
 */
final class ResizeTest {
    private static final String FOREIGN =
            """
            {"zarr_format": 3, "node_type": "array", "shape": [%s], "data_type": "uint8",
             "extra": {"must_understand": false, "n": 1.50},
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
             "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": ["bytes"],
             "attributes": {%s"nan": NaN, "half": "\\ud83d", "big": 123456789012345678901234567890,
               "small": 1e-300, "text": "gr\\u00f6\\u00dfe", "minus": -0.0}}
            """;

    @TempDir private Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.builder().workers(1).open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private byte[] elements(Path path) {
        try (ZarrArray array = engine.openArray(path);
                HostTensor tensor = array.read(Selection.all())) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    private static byte element(ZarrArray array) {
        try (HostTensor tensor = array.read(Selection.of("0, 0"))) {
            return tensor.segment().get(JAVA_BYTE, 0);
        }
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    /** Returns the writer of an array of 5 × 7 ones, in chunks of 2 × 3. */
    private ArrayWriter ones(Path path, ChunkKeyEncoding keys) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 5, 7)
                        .chunkShape(2, 3)
                        .chunkKeyEncoding(keys)
                        .fillValue(new byte[] {9})
                        .build();
        ArrayWriter writer = engine.createArray(path, metadata);
        writer.writeAll((_, elements) -> elements.fill((byte) 1));
        return writer;
    }

    @ParameterizedTest
    @CsvSource({"DEFAULT, /, c/0/0", "DEFAULT, ., c.0.0", "V2, /, 0/0", "V2, ., 0.0"})
    void deletesTheChunksOutside(ChunkKeyEncoding.Style style, String separator, String first)
            throws IOException {
        ArrayWriter writer = ones(folder, new ChunkKeyEncoding(style, separator));
        Files.createDirectories(folder.resolve("c/mine"));
        List<String> others = List.of("c/mine/4", "c/mine.c", "4", "0.0.0", "c.9.9.part");
        for (String name : others) {
            Files.write(folder.resolve(name), new byte[] {1});
        }
        ArrayWriter small = writer.resize(2, 4);
        assertArrayEquals(new long[] {1, 2}, small.gridShape());
        assertArrayEquals(new byte[] {1, 1, 1, 1, 1, 1, 1, 1}, elements(folder));
        String last = first.substring(0, first.length() - 1) + "1";
        assertEquals(
                Stream.concat(others.stream(), Stream.of(first, last, "zarr.json"))
                        .sorted()
                        .toList(),
                files(folder));
        // The chunk at the edge is as it was; the ones that were deleted are not there again.
        small.resize(3, 7);
        assertArrayEquals(
                new byte[] {1, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 1, 9, 9, 9, 9, 9, 9, 9, 9},
                elements(folder));
    }

    /** Growing one dimension may cut another one. */
    @Test
    void growsAndShrinksAtOnce() throws IOException {
        ones(folder, new ChunkKeyEncoding(ChunkKeyEncoding.Style.DEFAULT, "/")).resize(100, 3);
        assertEquals(List.of("c/0/0", "c/1/0", "c/2/0", "zarr.json"), files(folder));
    }

    @Test
    void anArrayThatIsOpenKeepsItsShapeAndReadsOn() {
        ArrayWriter writer =
                ones(folder, new ChunkKeyEncoding(ChunkKeyEncoding.Style.DEFAULT, "/"));
        try (ZarrArray open = engine.openArray(folder);
                HostTensor before = open.read(Selection.of("4, 6"))) {
            assertEquals(1, before.segment().get(JAVA_BYTE, 0));
            writer.resize(5, 3);
            assertArrayEquals(new long[] {5, 7}, open.shape());
            try (HostTensor after = open.read(Selection.of("4, 5:7"))) {
                assertArrayEquals(new byte[] {9, 9}, after.segment().toArray(JAVA_BYTE));
            }
        }
    }

    @Test
    void clearsWithoutWhatLinksLeadTo() throws IOException {
        Path array = folder.resolve("a");
        ones(array, new ChunkKeyEncoding(ChunkKeyEncoding.Style.DEFAULT, "/"));
        Files.createDirectories(array.resolve("c/77"));
        Files.write(array.resolve("c/77/88"), new byte[] {1}); // shows up if the array grows
        Files.move(array.resolve("c"), folder.resolve("elsewhere"));
        Files.createSymbolicLink(array.resolve("c"), folder.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), array);
        Files.createDirectories(array.resolve("sub/c/0"));
        Files.write(array.resolve("sub/c/0/0"), new byte[] {1});
        Files.createSymbolicLink(array.resolve("notes"), folder.resolve("elsewhere"));
        List<String> elsewhere = files(folder.resolve("elsewhere"));
        try (ZarrArray open = engine.openArray(link)) {
            assertEquals(1, element(open));
            engine.openWriter(link).clear();
            assertEquals(9, element(open));
        }
        assertEquals(List.of("sub/c/0/0", "zarr.json"), files(array));
        assertTrue(Files.isSymbolicLink(array.resolve("notes")));
        assertFalse(Files.exists(array.resolve("c"), LinkOption.NOFOLLOW_LINKS));
        assertEquals(elsewhere, files(folder.resolve("elsewhere")));
        assertTrue(elsewhere.contains("77/88"));
        Path one = folder.resolve("one");
        engine.createArray(one, ArrayMetadata.builder(NumericType.UINT8).build())
                .writeChunk(new long[0], MemorySegment.ofArray(new byte[] {5}));
        assertEquals(List.of("c", "zarr.json"), files(one));
        engine.openWriter(one).clear();
        assertEquals(List.of("zarr.json"), files(one));
    }

    /** Links of single chunks, of a folder on the way, and of folders that keys do not contain. */
    @ParameterizedTest
    @CsvSource({"DEFAULT, /, c/0/0, c/1", "DEFAULT, ., c.0.0, c.1.1", "V2, /, 0/0, 1"})
    void clearsLinksThatKeysContain(
            ChunkKeyEncoding.Style style, String separator, String chunk, String above)
            throws IOException {
        Path array = folder.resolve("a");
        ArrayWriter writer = ones(array, new ChunkKeyEncoding(style, separator));
        List<String> mine = List.of("mine", "01", "c.0", "0.0.0");
        for (String link : Stream.concat(mine.stream(), Stream.of(chunk, above)).toList()) {
            Path target = folder.resolve("of " + link.replace('/', ' '));
            if (Files.exists(array.resolve(link))) {
                Files.move(array.resolve(link), target);
            } else {
                Files.createDirectory(target);
            }
            Files.createSymbolicLink(array.resolve(link), target);
        }
        List<String> others = files(folder).stream().filter(file -> file.startsWith("of")).toList();
        writer.clear();
        assertEquals(others, files(folder).stream().filter(file -> file.startsWith("of")).toList());
        for (String link : List.of(chunk, above)) {
            assertFalse(Files.exists(array.resolve(link), LinkOption.NOFOLLOW_LINKS), link);
        }
        for (String link : mine) {
            assertTrue(Files.isSymbolicLink(array.resolve(link)), link);
        }
    }

    /** The chunks may be on another disk, which a change of the shape does not take away. */
    @Test
    void deletesTheChunksOutsideBehindALink() throws IOException {
        Path array = folder.resolve("a");
        ArrayWriter writer = ones(array, new ChunkKeyEncoding(ChunkKeyEncoding.Style.DEFAULT, "/"));
        Path elsewhere = Files.move(array.resolve("c"), folder.resolve("elsewhere"));
        Files.createSymbolicLink(array.resolve("c"), elsewhere);
        writer.resize(2, 4);
        assertEquals(List.of("0/0", "0/1"), files(elsewhere));
        assertTrue(Files.isSymbolicLink(array.resolve("c")));
    }

    @Test
    void refusesShapesAndChangesNothing() throws IOException {
        ArrayWriter writer =
                ones(folder, new ChunkKeyEncoding(ChunkKeyEncoding.Style.DEFAULT, "/"));
        List<String> before = files(folder);
        assertThrows(IllegalArgumentException.class, () -> writer.resize(5));
        assertThrows(FormatException.class, () -> writer.resize(0, -1));
        assertEquals(before, files(folder));
        assertArrayEquals(new long[] {3, 3}, engine.openWriter(folder).gridShape());
        MemoryStore store = MemoryStore.create();
        ArrayMetadata metadata = ArrayMetadata.builder(NumericType.UINT8, 2).build();
        ArrayWriter inMemory = engine.createArray(store, "a", metadata);
        assertThrows(UnsupportedOperationException.class, () -> inMemory.resize(1));
    }

    private void assertDocument(String expected) throws IOException {
        assertEquals(
                expected.replaceAll("\\s", "").toLowerCase(Locale.ROOT),
                Files.readString(folder.resolve("zarr.json"))
                        .replaceAll("\\s", "")
                        .toLowerCase(Locale.ROOT));
    }

    /** What the engine does not write itself is kept all the same. */
    @Test
    void keepsWhatOthersWrote() throws IOException {
        Files.writeString(folder.resolve("zarr.json"), FOREIGN.formatted("4", ""));
        engine.openWriter(folder).resize(7);
        assertDocument(FOREIGN.formatted("7", ""));
        Map<String, Object> attributes = new LinkedHashMap<>(Map.of("units", List.of(1.5, "K")));
        attributes.putAll(engine.openArray(folder).attributes());
        engine.setAttributes(folder, attributes);
        assertDocument(FOREIGN.formatted("7", "\"units\": [1.5, \"K\"],"));
        attributes.put("limit", Double.POSITIVE_INFINITY);
        FormatException e =
                assertThrows(FormatException.class, () -> engine.setAttributes(folder, attributes));
        assertTrue(e.getMessage().contains("attributes.limit"), e::getMessage);
        assertEquals(List.of("zarr.json"), files(folder));
    }

    @Test
    void setsTheAttributesOfAGroup() throws IOException {
        engine.createGroup(folder, new GroupMetadata(Map.of("a", 1)));
        engine.setAttributes(folder, Map.of("b", 2));
        assertEquals(Map.of("b", 2L), engine.openGroup(folder).attributes());
        Path old = Files.createDirectory(folder.resolve("old"));
        Files.writeString(old.resolve(".zgroup"), "{\"zarr_format\": 2}");
        assertThrows(FormatException.class, () -> engine.setAttributes(old, Map.of("b", 2)));
        assertFalse(Files.exists(old.resolve("zarr.json")));
    }
}
