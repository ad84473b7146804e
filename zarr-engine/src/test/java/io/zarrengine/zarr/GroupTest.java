package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hierarchies of both versions, with and without consolidated metadata. */
final class GroupTest {
    private static final String V2_ARRAY =
            """
            {"zarr_format": 2, "shape": [5], "chunks": [2], "dtype": "|i1", "order": "C",
             "fill_value": 3, "compressor": null, "filters": null}
            """;
    private static final String V2_GROUP = "{\"zarr_format\": 2}";

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

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static byte first(ZarrNode array) {
        try (HostTensor tensor = ((ZarrArray) array).read(Selection.of("0"))) {
            return tensor.segment().get(ValueLayout.JAVA_BYTE, 0);
        }
    }

    @Test
    void opensAHierarchyOfVersion2() throws IOException {
        write(".zgroup", V2_GROUP);
        write(".zattrs", "{\"title\": \"t\"}");
        write("g/.zgroup", V2_GROUP);
        write("g/a/.zarray", V2_ARRAY);
        write("g/a/.zattrs", "{\"units\": \"K\"}");
        ZarrGroup group = engine.openGroup(folder);
        assertEquals(Map.of("title", "t"), group.attributes());
        assertEquals(2, group.metadata().zarrFormat());
        assertEquals(List.of("g"), group.names());
        try (ZarrNode array = group.open("g/a")) {
            assertEquals(Map.of("units", "K"), array.attributes());
            assertEquals(3, first(array));
        }
        assertInstanceOf(ZarrGroup.class, group.open("g"));
        NodeNotFoundException e = assertThrows(NodeNotFoundException.class, () -> group.open("h"));
        assertTrue(e.getMessage().contains("does not exist"), e::getMessage);
    }

    /** What is consolidated is not looked for in the folder. */
    @Test
    void opensWhatIsConsolidated() throws IOException {
        write(".zgroup", V2_GROUP);
        write(
                ".zmetadata",
                "{\"zarr_consolidated_format\": 1, \"metadata\": {\".zgroup\": "
                        + V2_GROUP
                        + ", \"g/.zgroup\": "
                        + V2_GROUP
                        + ", \"g/a/.zarray\": "
                        + V2_ARRAY
                        + "}}");
        ZarrGroup group = engine.openGroup(folder);
        assertEquals(List.of("g"), group.names());
        ZarrGroup inner = (ZarrGroup) group.open("g");
        assertEquals(2, inner.metadata().zarrFormat());
        assertEquals(List.of("a"), inner.names());
        try (ZarrNode array = inner.open("a")) {
            assertEquals(folder.resolve("g/a"), array.path());
            assertEquals(3, first(array));
        }
        assertThrows(NodeNotFoundException.class, () -> group.open("../outside"));
    }

    @Test
    void version3HasPrecedence() throws IOException {
        write(".zgroup", V2_GROUP);
        write(
                "zarr.json",
                "{\"zarr_format\": 3, \"node_type\": \"group\", \"attributes\": {\"v\": 3}}");
        assertEquals(Map.of("v", 3L), engine.openGroup(folder).attributes());
    }

    @Test
    void whatIsCreatedIsOfVersion3() {
        GroupMetadata ofVersion2 = new GroupMetadata(Map.of("a", 1L), 2);
        ZarrGroup created = engine.createGroup(folder.resolve("g"), ofVersion2);
        assertEquals(new GroupMetadata(Map.of("a", 1L), 3), created.metadata());
        assertEquals(created.metadata(), engine.openGroup(folder.resolve("g")).metadata());
    }

    @Test
    void createsNothingWhereANodeIs() throws IOException {
        write("a/.zarray", V2_ARRAY);
        GroupMetadata group = new GroupMetadata(Map.of());
        assertThrows(StoreException.class, () -> engine.createGroup(folder.resolve("a"), group));
        engine.createGroup(folder.resolve("b"), group);
        assertThrows(StoreException.class, () -> engine.createGroup(folder.resolve("b"), group));
    }

    /** Any text is a key in consolidated metadata; not all are names of files. */
    @Test
    void whatNoFileCanBeCalledIsNotThere() throws IOException {
        write(
                "zarr.json",
                """
                {"zarr_format": 3, "node_type": "group", "attributes": {},
                 "consolidated_metadata": {"kind": "inline", "must_understand": false,
                   "metadata": {"a\\u0000b": {"zarr_format": 3, "node_type": "group"}}}}
                """);
        ZarrGroup group = engine.openGroup(folder);
        assertEquals(List.of("a\0b"), group.names());
        NodeNotFoundException e =
                assertThrows(NodeNotFoundException.class, () -> group.open("a\0b"));
        assertTrue(e.getMessage().startsWith(folder + ": holds nothing of that"), e::getMessage);
    }
}
