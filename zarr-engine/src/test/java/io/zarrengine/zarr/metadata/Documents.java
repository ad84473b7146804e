package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.DataTypes;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Metadata documents as text: a good one, with some members changed. */
final class Documents {
    static final String NAME = "u/zarr.json";

    private Documents() {}

    /** Returns an array's document with changes: a member and its JSON, or "" to leave it out. */
    static String array(String... changes) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("zarr_format", "3");
        members.put("node_type", "\"array\"");
        members.put("shape", "[4, 6]");
        members.put("data_type", "\"int32\"");
        members.put(
                "chunk_grid",
                "{\"name\": \"regular\", \"configuration\": {\"chunk_shape\": [2, 3]}}");
        members.put("chunk_key_encoding", "{\"name\": \"default\"}");
        members.put("fill_value", "7");
        members.put("codecs", "[{\"name\": \"bytes\", \"configuration\": {\"endian\": \"big\"}}]");
        return text(members, changes);
    }

    /** Returns a group's document. */
    static String group(String... changes) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("zarr_format", "3");
        members.put("node_type", "\"group\"");
        return text(members, changes);
    }

    private static String text(Map<String, String> members, String... changes) {
        for (int i = 0; i < changes.length; i += 2) {
            if (changes[i + 1].isEmpty()) {
                members.remove(changes[i]);
            } else {
                members.put(changes[i], changes[i + 1]);
            }
        }
        return members.entrySet().stream()
                .map(member -> "\"" + member.getKey() + "\": " + member.getValue())
                .collect(Collectors.joining(",\n", "{", "}"));
    }

    static NodeMetadata read(String text) {
        return MetadataReader.read(
                NAME, text.getBytes(StandardCharsets.UTF_8), DataTypes.builtIn());
    }

    static ArrayMetadata readArray(String... changes) {
        return (ArrayMetadata) read(array(changes));
    }

    static Optional<ConsolidatedMetadata> readConsolidated(String text) {
        return ConsolidatedMetadata.ofZarrJson(
                NAME, text.getBytes(StandardCharsets.UTF_8), DataTypes.builtIn());
    }
}
