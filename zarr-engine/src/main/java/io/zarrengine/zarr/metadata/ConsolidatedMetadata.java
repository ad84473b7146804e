package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.json.JsonFields;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What the document of a group says of the nodes below it. A node is read when it is asked for: one
 * that is not valid does not hide the others.
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
    private final String prefix; // of the paths that are said of; empty, or ends with a slash

    private ConsolidatedMetadata(
            JsonFields members, int zarrFormat, DataTypes types, String prefix) {
        this.members = members;
        this.zarrFormat = zarrFormat;
        this.types = types;
        this.prefix = prefix;
    }

    /**
     * {@return what a group's {@code zarr.json} says of the nodes below; empty if it says nothing}
     *
     * @param document its name, for messages
     * @param text UTF-8
     * @param types the data types that are known
     * @throws io.zarrengine.zarr.errors.FormatException if it is not valid
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
     * {@return what a {@code .zmetadata} says}
     *
     * @param document its name, for messages
     * @param text UTF-8
     * @param types the data types that are known
     * @throws io.zarrengine.zarr.errors.FormatException if it is not valid
     */
    public static ConsolidatedMetadata ofZmetadata(String document, byte[] text, DataTypes types) {
        JsonFields consolidated = JsonFields.parse(document, text);
        consolidated.integer("zarr_consolidated_format", 1, 1);
        return new ConsolidatedMetadata(consolidated.object("metadata"), 2, types, "");
    }

    /**
     * {@return what is said of the nodes below a node}
     *
     * @param path the node's, relative to the group, with slashes
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
     * {@return a node; empty if nothing is said of it}
     *
     * @param path relative to the group, with slashes
     * @throws io.zarrengine.zarr.errors.FormatException if it is not valid
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
