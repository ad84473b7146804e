package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows arrays and trees, as text and as JSON. */
final class InfoCommandTest {
    @TempDir private Path folder;

    @Test
    void showsAnArrayWithoutShards() {
        Path array =
                SmallArrays.counting(folder.resolve("a"), new long[] {5, 7}, new long[] {3, 4});
        assertEquals(
                """
                %s
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
    void showsShardsNamesAndAttributes() {
        Path array = writeNamed(folder.resolve("a"));
        String codec =
                "{\"chunk_shape\":[2],\"codecs\":[{\"name\":\"bytes\",\"configuration\":"
                        + "{\"endian\":\"little\"}}],\"index_codecs\":[{\"name\":\"bytes\","
                        + "\"configuration\":{\"endian\":\"little\"}},{\"name\":\"crc32c\","
                        + "\"configuration\":{}}],"
                        + "\"index_location\":\"end\"}";
        assertEquals(
                """
                %s
                  shape        6  (x)
                  data type    float32
                  fill value   0.0
                  shards       6
                  chunks       2
                  codecs       sharding_indexed %s
                  chunk keys   c/0
                  stored       76 B in 1 files; 24 B uncompressed, ratio 0.32
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
                        "ratio"),
                List.copyOf(json.keySet()));
        assertEquals(array.toString(), json.get("path"));
        assertEquals(List.of(6L), json.get("shape"));
        assertEquals("float32", json.get("data_type"));
        assertEquals(List.of("x"), json.get("dimension_names"));
        assertEquals(76L, json.get("stored_bytes"));
        assertEquals(24L, json.get("uncompressed_bytes"));
        assertEquals(24.0 / 76.0, json.get("ratio"));
    }

    @Test
    void showsTheTreeOfAGroup() throws IOException {
        Path group = writeTree();
        assertEquals(
                """
                %s/
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

    private static String withoutProblem(String text) {
        return text.replaceAll("(broken/zarr.json: ).+\\)", "$1PROBLEM)");
    }

    @Test
    void showsATreeAsJson() throws IOException {
        Path group = writeTree();
        Map<?, ?> json = JsonText.object(CommandRun.of("info", group, "--json").succeeded());
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

    @Test
    void aLoopOfLinksEnds() throws IOException {
        Path group = SmallArrays.group(folder.resolve("g"), Map.of());
        Files.createSymbolicLink(group.resolve("loop"), group);
        String text = CommandRun.of("info", group).succeeded();
        assertEquals(33, text.lines().count(), text);
        JsonText.parse(CommandRun.of("info", group, "--json").succeeded());
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
}
