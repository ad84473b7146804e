package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Nodes in consolidated metadata are not looked up in the folder. */
    @Test
    void opensConsolidatedNodes() throws IOException {
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

    /** A broken member hides no other member, and has an error message. */
    @Test
    void listsMembersAndTheErrorsOfBrokenOnes() throws IOException {
        write(".zgroup", V2_GROUP);
        write("a/.zarray", V2_ARRAY);
        write("broken/.zarray", V2_ARRAY.replace("|i1", "|x1"));
        write("c/.zgroup", V2_GROUP);
        write("newer/zarr.json", "{\"zarr_format\": 4, \"node_type\": \"array\"}");
        ZarrGroup group = engine.openGroup(folder);
        try (GroupMembers members = group.members()) {
            assertEquals(List.of("a"), List.copyOf(members.arrays().keySet()));
            assertEquals(List.of("c"), List.copyOf(members.groups().keySet()));
            assertEquals(List.of("broken", "newer"), List.copyOf(members.failures().keySet()));
            String why = members.failures().get("broken").getMessage();
            assertEquals(
                    folder.resolve("broken/.zarray") + ": dtype is \"|x1\", which is no NumPy type",
                    why);
            assertEquals(3, first(members.arrays().get("a")));
        }
        assertEquals(List.of("c"), List.copyOf(group.groups().keySet()));
        group.arrays().values().forEach(ZarrArray::close);
        engine.close();
        assertThrows(ClosedException.class, group::members);
    }

    /** Includes a member that consolidated metadata describes. */
    @Test
    void failsOnBrokenAttributesOnlyWhenTheyAreRead() throws IOException {
        write(".zgroup", V2_GROUP);
        write(".zattrs", "{\"a\": 1, \"a\": 2}");
        write("a/.zarray", V2_ARRAY);
        write("a/.zattrs", "{no");
        ZarrGroup group = engine.openGroup(folder);
        String twice = folder.resolve(".zattrs") + ": has the member \"a\" twice";
        assertEquals(Optional.of(twice), group.metadata().attributesProblem());
        assertEquals(twice, assertThrows(FormatException.class, group::attributes).getMessage());
        try (ZarrArray array = engine.openArray(folder.resolve("a"))) {
            assertEquals(3, first(array));
            String problem = folder.resolve("a/.zattrs") + ": is not valid JSON";
            FormatException e = assertThrows(FormatException.class, array::attributes);
            assertTrue(e.getMessage().startsWith(problem), e::getMessage);
            assertThrows(
                    FormatException.class,
                    () -> engine.createArray(folder.resolve("copy"), array.metadata()));
        }
        write(
                ".zmetadata",
                "{\"zarr_consolidated_format\": 1, \"metadata\": {\"b/.zattrs\": [1], \"b/.zarray\": "
                        + V2_ARRAY
                        + "}}");
        try (ZarrNode array = engine.openGroup(folder).open("b")) {
            assertEquals(3, first(array));
            assertEquals(
                    Optional.of(
                            folder.resolve(".zmetadata")
                                    + ": metadata.b/.zattrs is [1], expected an object"),
                    array.metadata().attributesProblem());
        }
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
    void createsVersion3() throws IOException {
        write(".zgroup", V2_GROUP);
        write(".zattrs", "{\"a\": 1}");
        GroupMetadata ofVersion2 = engine.openGroup(folder).metadata();
        assertEquals(2, ofVersion2.zarrFormat());
        ZarrGroup created = engine.createGroup(folder.resolve("g"), ofVersion2);
        assertEquals(new GroupMetadata(Map.of("a", 1L)), created.metadata());
        assertEquals(created.metadata(), engine.openGroup(folder.resolve("g")).metadata());
    }

    @Test
    void createsNothingWhereANodeExists() throws IOException {
        write("a/.zarray", V2_ARRAY);
        GroupMetadata group = new GroupMetadata(Map.of());
        assertThrows(StoreException.class, () -> engine.createGroup(folder.resolve("a"), group));
        engine.createGroup(folder.resolve("b"), group);
        assertThrows(StoreException.class, () -> engine.createGroup(folder.resolve("b"), group));
    }

    /** Any text may be a key in consolidated metadata, but not every text is a file name. */
    @Test
    void findsNothingForAnImpossibleFileName() throws IOException {
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
