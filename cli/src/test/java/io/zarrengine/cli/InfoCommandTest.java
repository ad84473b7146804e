package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests arrays and trees as text and as JSON. */
final class InfoCommandTest {
    @TempDir private Path folder;

    @Test
    void showsAnArrayWithoutShards() {
        Path array =
                SmallArrays.counting(folder.resolve("a"), new long[] {5, 7}, new long[] {3, 4});
        assertEquals(
                """
                %s
                  zarr format  3
                  shape        5 x 7
                  data type    int16
                  fill value   0
                  chunks       3 x 4
                  codecs       bytes {"endian":"little"}
                  chunk keys   c/0/0
                  stored       96 B in 4 files; 70 B uncompressed, ratio 0.73
                """
                        .formatted(array),
                CommandRun.of("info", array).succeeded());
    }

    @Test
    void takesAUriForAPath() {
        Path array = SmallArrays.counting(folder.resolve("a b"), new long[] {5}, new long[] {3});
        String byPath = CommandRun.of("info", array).succeeded();
        assertTrue(array.toUri().toString().contains("a%20b"));
        assertEquals(byPath, CommandRun.of("info", array.toUri()).succeeded());
        CommandRun.of("info", "file:///a b").misused("file:///a b");
    }

    /** The decoded size of strings is unknown before they are read. */
    @Test
    void stringsHaveNoUncompressedSize() throws IOException {
        Path strings = SmallArrays.strings(folder.resolve("strings"));
        String text = CommandRun.of("info", strings).succeeded();
        assertTrue(text.contains("stored       0 B in 0 files\n"), text);
        Map<?, ?> json = JsonText.object(CommandRun.of("info", strings, "--json").succeeded());
        assertEquals(0L, json.get("stored_bytes"));
        for (String unknown : List.of("uncompressed_bytes", "ratio")) {
            assertTrue(json.containsKey(unknown), unknown);
            assertNull(json.get(unknown), unknown);
        }
    }

    @Test
    void showsShardsNamesAndAttributes() {
        Path array = writeNamed(folder.resolve("a"));
        String codec =
                "{\"chunk_shape\":[2],\"codecs\":[{\"name\":\"bytes\",\"configuration\":"
                        + "{\"endian\":\"little\"}}],\"index_codecs\":[{\"name\":\"bytes\","
                        + "\"configuration\":{\"endian\":\"little\"}},{\"name\":\"crc32c\"}],"
                        + "\"index_location\":\"end\"}";
        assertEquals(
                """
                %s
                  zarr format  3
                  shape        6  (x)
                  data type    float32
                  fill value   0.0
                  shards       6
                  chunks       2
                  codecs       sharding_indexed %s
                  chunk keys   c/0
                  stored       76 B in 1 file; 24 B uncompressed, ratio 0.32
                  .units       "m s**-1"
                """
                        .formatted(array, codec),
                CommandRun.of("info", array).succeeded());
    }

    @Test
    void showsAnArrayAsJson() {
        Path array = writeNamed(folder.resolve("a"));
        Map<?, ?> json = JsonText.object(CommandRun.of("info", array, "--json").succeeded());
        assertEquals(
                List.of(
                        "path",
                        "zarr_format",
                        "node_type",
                        "shape",
                        "data_type",
                        "chunk_grid",
                        "chunk_key_encoding",
                        "fill_value",
                        "codecs",
                        "attributes",
                        "dimension_names",
                        "stored_bytes",
                        "stored_files",
                        "uncompressed_bytes",
                        "ratio",
                        "warnings"),
                List.copyOf(json.keySet()));
        assertEquals(array.toString(), json.get("path"));
        assertEquals(List.of(6L), json.get("shape"));
        assertEquals("float32", json.get("data_type"));
        assertEquals(List.of("x"), json.get("dimension_names"));
        assertEquals(76L, json.get("stored_bytes"));
        assertEquals(24L, json.get("uncompressed_bytes"));
        assertEquals(24.0 / 76.0, json.get("ratio"));
    }

    /** An array that reads as fill values only is explained: its files have other names. */
    @Test
    void warnsOfFilesThatAreNoChunks() throws IOException {
        Path array =
                SmallArrays.counting(folder.resolve("a"), new long[] {4, 6}, new long[] {2, 3});
        Path document = array.resolve("zarr.json");
        String slashes = Files.readString(document);
        String dots = slashes.replaceFirst("\"separator\" : \"/\"", "\"separator\" : \".\"");
        assertNotEquals(slashes, dots);
        Files.writeString(document, dots);
        String text = CommandRun.of("info", array).succeeded();
        assertTrue(
                text.contains(
                        "  warning      4 files, none of them a chunk of this array: its keys look"
                                + " like c.0.1\n"),
                text);
        Files.copy(array.resolve("c/0/1"), array.resolve("c.0.1"));
        Files.copy(document, array.resolve(".hidden"));
        text = CommandRun.of("info", array).succeeded();
        assertTrue(text.contains("4 of 5 files are no chunks of this array"), text);
        Files.move(array.resolve("c.0.1"), array.resolve("c.2.0")); // Outside the grid.
        text = CommandRun.of("info", array).succeeded();
        assertTrue(text.contains("5 files, none of them a chunk of this array"), text);
        Map<?, ?> json = JsonText.object(CommandRun.of("info", array, "--json").succeeded());
        assertEquals(1, ((List<?>) json.get("warnings")).size());
    }

    @Test
    void saysThatAttributesCannotBeRead() throws IOException {
        Path array = SmallArrays.counting(folder.resolve("a"), new long[] {5}, new long[] {3});
        Path document = array.resolve("zarr.json");
        Files.writeString(
                document,
                Files.readString(document)
                        .replaceFirst("\"attributes\" : \\{[^}]*}", "\"attributes\": [1]"));
        String problem = document + ": attributes is [1], expected an object";
        String text = CommandRun.of("info", array).succeeded();
        assertTrue(text.contains("  warning      attributes cannot be read: " + problem), text);
        Map<?, ?> json = JsonText.object(CommandRun.of("info", array, "--json").succeeded());
        assertEquals(problem, json.get("attributes_unknown"));
        assertFalse(json.containsKey("attributes"));
        Files.writeString(folder.resolve(".zgroup"), "{\"zarr_format\": 2}");
        Path group = Files.createDirectory(folder.resolve("g"));
        Files.writeString(group.resolve(".zgroup"), "{\"zarr_format\": 2}");
        Files.writeString(group.resolve(".zattrs"), "no");
        text = CommandRun.of("info", group).succeeded();
        assertTrue(text.contains("  attributes cannot be read: " + group + "/.zattrs: "), text);
        text = CommandRun.of("info", folder).succeeded();
        assertTrue(
                text.contains("a  int16 [5]  (attributes cannot be read: " + problem + ")"), text);
        assertTrue(text.contains("g/  (attributes cannot be read: " + group + "/.zattrs: "), text);
        json = JsonText.object(CommandRun.of("info", group, "--json").succeeded());
        assertTrue(json.containsKey("attributes_unknown"), json::toString);
    }

    /** The current folder may hold a file of that name, with options in it. */
    @Test
    void aNameWithAnAtIsAName() throws IOException {
        Path array = SmallArrays.counting(folder.resolve("@a"), new long[] {5}, new long[] {3});
        Path options = Files.writeString(folder.resolve("a"), array + "\n--json\n");
        CommandRun run = CommandRun.of("info", "@" + options);
        assertEquals(1, run.status());
        assertTrue(run.err().contains("@" + options), run::err);
    }

    @Test
    void showsTheTreeOfAGroup() throws IOException {
        Path group = writeTree();
        assertEquals(
                """
                %s/  zarr format 3
                ├── a  int16 [4]
                ├── broken  (%s/broken/zarr.json: PROBLEM)
                ├── g/
                │   ├── b  int16 [2]
                │   └── c  int16 [3]
                └── z  int16 [5]
                  title: "a tree"
                """
                        .formatted(group, group),
                withoutProblem(CommandRun.of("info", group).succeeded()));
    }

    /** The rest of the tree is still shown. */
    @Test
    void showsNodesThatNoFileCanBeCalled() throws IOException {
        Path group = Files.createDirectory(folder.resolve("group"));
        Files.writeString(
                group.resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "group", "attributes": {},
                 "consolidated_metadata": {"kind": "inline", "must_understand": false,
                   "metadata": {"a\\u0000b": {"zarr_format": 3, "node_type": "group"},
                                "c": {"zarr_format": 3, "node_type": "group"}}}}
                """);
        String text = CommandRun.of("info", group).succeeded();
        assertTrue(text.contains("└── c/"), text);
        Map<?, ?> json = JsonText.object(CommandRun.of("info", group, "--json").succeeded());
        List<?> members = (List<?>) json.get("members");
        assertEquals(2, members.size());
        Map<?, ?> unnamable = (Map<?, ?>) members.getFirst();
        assertEquals(group + "/a\0b", unnamable.get("path"));
        assertTrue(unnamable.get("error") instanceof String, unnamable::toString);
    }

    private static String withoutProblem(String text) {
        return text.replaceAll("(broken/zarr.json: ).+\\)", "$1PROBLEM)");
    }

    @Test
    void showsATreeAsJson() throws IOException {
        Path group = writeTree();
        Map<?, ?> json = JsonText.object(CommandRun.of("info", group, "--json").succeeded());
        assertEquals(3L, json.get("zarr_format"));
        assertEquals("group", json.get("node_type"));
        assertEquals(Map.of("title", "a tree"), json.get("attributes"));
        Map<String, Map<?, ?>> members = members(json);
        assertEquals(List.of("a", "broken", "g", "z"), List.copyOf(members.keySet()));
        String error = (String) members.get("broken").get("error");
        assertTrue(error.startsWith(group.resolve("broken").toString()), error);
        assertEquals("int16", members.get("z").get("data_type"));
        assertEquals(8L, members.get("a").get("stored_bytes"));
        assertEquals(List.of("b", "c"), List.copyOf(members(members.get("g")).keySet()));
    }

    private static Map<String, Map<?, ?>> members(Map<?, ?> group) {
        Map<String, Map<?, ?>> members = new LinkedHashMap<>();
        for (Object member : (List<?>) group.get("members")) {
            Map<?, ?> object = (Map<?, ?>) member;
            members.put(Path.of((String) object.get("path")).getFileName().toString(), object);
        }
        return members;
    }

    /** An array from consolidated metadata may have no folder, so no size is shown. */
    @Test
    void showsVersion2AndArraysWithoutAFolder() throws IOException {
        Files.writeString(folder.resolve(".zgroup"), "{\"zarr_format\": 2}");
        Files.writeString(
                folder.resolve(".zmetadata"),
                """
                {"zarr_consolidated_format": 1, "metadata": {"a/.zarray":
                 {"zarr_format": 2, "shape": [4611686018427387904], "chunks": [2], "dtype": "<i4",
                  "order": "C", "fill_value": 3, "compressor": null, "filters": null}}}
                """);
        assertEquals(
                "%s/  zarr format 2%n└── a  int32 [4611686018427387904]%n".formatted(folder),
                CommandRun.of("info", folder).succeeded());
        Map<?, ?> json = JsonText.object(CommandRun.of("info", folder, "--json").succeeded());
        assertEquals(2L, json.get("zarr_format"));
        Map<?, ?> array = members(json).get("a");
        assertEquals(2L, array.get("zarr_format"));
        assertTrue(array.containsKey("stored_unknown"), array::toString);
        assertEquals(Long.MAX_VALUE, array.get("uncompressed_bytes"));
    }

    @Test
    void refusesWhatIsNoNode() throws IOException {
        CommandRun.of("info", folder).refused("is no Zarr node");
        Path file = Files.writeString(folder.resolve("zarr.json"), "{\"zarr_format\": 3,");
        CommandRun.of("info", folder).refused(file.toString());
    }

    private static Path writeNamed(Path array) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.FLOAT32, 6)
                        .codecs(List.of(CodecSpec.sharding(new long[] {2}, CodecSpec.bytes())))
                        .dimensionNames(List.of("x"))
                        .attributes(Map.of("units", "m s**-1"))
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(array, metadata)
                    .writeAll((shard, elements) -> elements.fill((byte) 1));
        }
        return array;
    }

    private Path writeTree() throws IOException {
        Path group = SmallArrays.group(folder.resolve("tree"), Map.of("title", "a tree"));
        SmallArrays.group(group.resolve("g"), Map.of());
        long length = 2;
        for (String name : Arrays.asList("g/b", "g/c", "a", "z")) {
            long[] shape = {length++};
            SmallArrays.counting(group.resolve(name), shape, shape);
        }
        Files.createDirectory(group.resolve("broken"));
        Files.writeString(group.resolve("broken").resolve("zarr.json"), "{\"zarr_format\": 4}");
        Files.createDirectory(group.resolve("no-node"));
        return group;
    }

    /** Links of a group to itself: without a check, two of them would be listed 2^32 times. */
    @Test
    @Timeout(20)
    void linksThatLeadBackAreListedOnce() throws IOException {
        Path group = SmallArrays.group(folder.resolve("loops"), Map.of());
        for (String name : List.of("a", "b", "c")) {
            Files.createSymbolicLink(group.resolve(name), Path.of("."));
        }
        String tree = CommandRun.of("info", group).succeeded();
        assertEquals(4, tree.lines().count(), tree);
        assertTrue(CommandRun.of("info", group, "--json").succeeded().contains("/loops/c"));
    }

    @Test
    void controlCharactersDoNotReachTheTerminal() {
        Path group = folder.resolve("escapes");
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createGroup(group, new GroupMetadata(Map.of("\u001b[31m", "\u0007\u009b")));
        }
        String tree = CommandRun.of("info", group).succeeded();
        assertTrue(tree.contains("\\u001b[31m"), tree);
        assertTrue(tree.chars().noneMatch(c -> Character.isISOControl(c) && c != '\n'), tree);
        CommandRun.of("info", folder.resolve("\u001b[2J")).refused("\\u001b[2J: does not exist");
    }

    @Test
    void withoutTheSizeOfTheChunksTheRestIsShown() throws IOException {
        Path array = SmallArrays.counting(folder.resolve("u"), new long[] {4}, new long[] {2});
        Path chunks = array.resolve("c");
        Files.setPosixFilePermissions(chunks, Set.of());
        try {
            assumeFalse(Files.isReadable(chunks), "root lists everything");
            String text = CommandRun.of("info", array).succeeded();
            assertTrue(text.contains("stored       unknown: "), text);
        } finally {
            Files.setPosixFilePermissions(chunks, PosixFilePermissions.fromString("rwx------"));
        }
    }
}
