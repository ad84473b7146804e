package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.json.JsonFields;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Consolidated metadata: the documents of the nodes below a group, stored in the document of the
 * group. A node is parsed on request, so that an invalid node does not hide the others.
 *
 * @see <a href="https://zarr.readthedocs.io/en/stable/user-guide/consolidated_metadata.html">
 *     zarr-python, consolidated metadata</a>
 */
public final class ConsolidatedMetadata {
    private static final String V2_ARRAY = "/.zarray";
    private static final String V2_GROUP = "/.zgroup";
    private static final String V2_ATTRIBUTES = "/.zattrs";

    private final JsonFields members;
    private final int zarrFormat;
    private final DataTypes types;
    private final String prefix; // common prefix of the paths; empty, or ends with a slash

    private ConsolidatedMetadata(
            JsonFields members, int zarrFormat, DataTypes types, String prefix) {
        this.members = members;
        this.zarrFormat = zarrFormat;
        this.types = types;
        this.prefix = prefix;
    }

    /**
     * {@return the consolidated metadata in a group's {@code zarr.json}; empty if there is none}
     *
     * @param document its name, for messages
     * @param text UTF-8
     * @param types the known data types
     * @throws io.zarrengine.zarr.errors.FormatException if it is invalid
     */
    public static Optional<ConsolidatedMetadata> ofZarrJson(
            String document, byte[] text, DataTypes types) {
        JsonFields group = JsonFields.parse(document, text);
        if (group.any("consolidated_metadata") == null) {
            return Optional.empty();
        }
        JsonFields consolidated = group.object("consolidated_metadata");
        if (!consolidated.string("kind", "inline").equals("inline")) {
            return Optional.empty();
        }
        return Optional.of(new ConsolidatedMetadata(consolidated.object("metadata"), 3, types, ""));
    }

    /**
     * {@return the consolidated metadata in a {@code .zmetadata}}
     *
     * @param document its name, for messages
     * @param text UTF-8
     * @param types the known data types
     * @throws io.zarrengine.zarr.errors.FormatException if it is invalid
     */
    public static ConsolidatedMetadata ofZmetadata(String document, byte[] text, DataTypes types) {
        JsonFields consolidated = JsonFields.parse(document, text);
        consolidated.integer("zarr_consolidated_format", 1, 1);
        return new ConsolidatedMetadata(consolidated.object("metadata"), 2, types, "");
    }

    /**
     * {@return the metadata of the nodes below a node}
     *
     * @param path path of the node, relative to the group, with slashes
     */
    public ConsolidatedMetadata below(String path) {
        return new ConsolidatedMetadata(members, zarrFormat, types, prefix + path + "/");
    }

    /** {@return the names of the nodes directly below, sorted} */
    public List<String> names() {
        TreeSet<String> names = new TreeSet<>();
        for (String key : members.names()) {
            boolean isNode = zarrFormat == 3 || key.endsWith(V2_ARRAY) || key.endsWith(V2_GROUP);
            if (isNode && key.startsWith(prefix)) {
                String path = zarrFormat == 3 ? key : key.substring(0, key.lastIndexOf('/'));
                String below = path.substring(Math.min(prefix.length(), path.length()));
                if (!below.isEmpty() && below.indexOf('/') < 0) {
                    names.add(below);
                }
            }
        }
        return List.copyOf(names);
    }

    /**
     * {@return a node; empty if there is no document for it}
     *
     * @param path relative to the group, with slashes
     * @throws io.zarrengine.zarr.errors.FormatException if the document is invalid
     */
    public Optional<NodeMetadata> node(String path) {
        String key = prefix + path;
        if (zarrFormat == 3) {
            return members.has(key)
                    ? Optional.of(MetadataReader.node(members.object(key), types))
                    : Optional.empty();
        }
        Attributes attributes = Attributes.of(members, key + V2_ATTRIBUTES);
        if (members.has(key + V2_ARRAY)) {
            JsonFields array = members.object(key + V2_ARRAY);
            return Optional.of(MetadataV2Reader.readArray(array, attributes));
        }
        if (members.has(key + V2_GROUP)) {
            JsonFields group = members.object(key + V2_GROUP);
            return Optional.of(MetadataV2Reader.readGroup(group, attributes));
        }
        return Optional.empty();
    }
}
