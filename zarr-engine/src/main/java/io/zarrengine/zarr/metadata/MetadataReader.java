package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.errors.FormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code zarr.json} documents of version 3. */
public final class MetadataReader {
    private static final List<String> ARRAY_MEMBERS =
            List.of(
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
                    "storage_transformers");

    private static final List<String> GROUP_MEMBERS =
            List.of("zarr_format", "node_type", "attributes", "consolidated_metadata");

    private MetadataReader() {}

    /**
     * {@return what a document describes}
     *
     * @param document its name, for messages
     * @param text UTF-8
     * @throws FormatException if it is not valid, or asks for what is not known
     */
    public static NodeMetadata read(String document, byte[] text) {
        return node(Fields.parse(document, text));
    }

    /**
     * {@return the nodes below a group that its document also describes: the inline consolidated
     * metadata, by relative path; empty if there is none}
     *
     * @param document the group's document, for messages
     * @param text UTF-8
     * @throws FormatException if it is not valid
     */
    public static Map<String, NodeMetadata> readConsolidated(String document, byte[] text) {
        Fields group = Fields.parse(document, text);
        if (group.any("consolidated_metadata") == null) {
            return Map.of();
        }
        Fields consolidated = group.object("consolidated_metadata");
        if (!consolidated.string("kind", "inline").equals("inline")) {
            return Map.of();
        }
        Fields members = consolidated.object("metadata");
        Map<String, NodeMetadata> nodes = new LinkedHashMap<>();
        for (String path : members.names()) {
            nodes.put(path, node(members.object(path)));
        }
        return nodes;
    }

    private static NodeMetadata node(Fields fields) {
        fields.integer("zarr_format", 3, 3);
        String type = fields.string("node_type");
        return switch (type) {
            case "array" -> array(fields);
            case "group" -> group(fields);
            default ->
                    throw fields.error(
                            "node_type",
                            "is " + Fields.show(type) + ", expected \"array\" or \"group\"");
        };
    }

    private static GroupMetadata group(Fields fields) {
        fields.names().forEach(member -> fields.refuseUnknown(member, GROUP_MEMBERS));
        return new GroupMetadata(fields.map("attributes"));
    }

    private static ArrayMetadata array(Fields fields) {
        fields.names().forEach(member -> fields.refuseUnknown(member, ARRAY_MEMBERS));
        long[] shape = fields.integers("shape", 0, Long.MAX_VALUE);
        DataType dataType = dataType(fields);
        if (fields.has("storage_transformers") && !fields.array("storage_transformers").isEmpty()) {
            throw fields.error("storage_transformers", "is not empty: none is known");
        }
        ArrayMetadata.Builder builder =
                ArrayMetadata.builder(dataType, shape)
                        .chunkShape(chunkShape(fields))
                        .fillValue(fillValue(fields, dataType))
                        .chunkKeyEncoding(chunkKeyEncoding(fields))
                        .codecs(fields.specs("codecs"))
                        .attributes(fields.map("attributes"));
        fields.names("dimension_names", shape.length).ifPresent(builder::dimensionNames);
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw fields.error(e);
        }
    }

    private static DataType dataType(Fields fields) {
        if (!fields.has("data_type")) {
            throw fields.error("data_type", "is missing");
        }
        CodecSpec spec = fields.spec("data_type");
        return NumericType.named(spec.name())
                .orElseThrow(() ->
                        fields.error(
                                "data_type",
                                "is " + Fields.show(spec.name()) + ", which is not known"));
    }

    private static long[] chunkShape(Fields fields) {
        Fields grid = fields.object("chunk_grid");
        String name = grid.string("name");
        if (!name.equals("regular")) {
            throw grid.error("name", "is " + Fields.show(name) + ", expected \"regular\"");
        }
        return grid.object("configuration").integers("chunk_shape", 1, Long.MAX_VALUE);
    }

    private static byte[] fillValue(Fields fields, DataType dataType) {
        if (!fields.has("fill_value")) {
            throw fields.error("fill_value", "is missing");
        }
        Object json = fields.any("fill_value");
        try {
            return dataType.fillValue(json);
        } catch (IllegalArgumentException e) {
            throw fields.error(
                    "fill_value",
                    "is "
                            + Fields.show(json)
                            + ", which is no "
                            + dataType.typeName()
                            + ": "
                            + e.getMessage());
        }
    }

    private static ChunkKeyEncoding chunkKeyEncoding(Fields fields) {
        CodecSpec spec = fields.spec("chunk_key_encoding");
        Fields configuration =
                fields.nested("chunk_key_encoding.configuration", spec.configuration());
        ChunkKeyEncoding.Style style =
                switch (spec.name()) {
                    case "default" -> ChunkKeyEncoding.Style.DEFAULT;
                    case "v2" -> ChunkKeyEncoding.Style.V2;
                    default ->
                            throw fields.error(
                                    "chunk_key_encoding",
                                    "is "
                                            + Fields.show(spec.name())
                                            + ", expected \"default\" or \"v2\"");
                };
        String usual = style == ChunkKeyEncoding.Style.DEFAULT ? "/" : ".";
        String separator = configuration.string("separator", usual);
        if (!separator.equals("/") && !separator.equals(".")) {
            throw configuration.error(
                    "separator", "is " + Fields.show(separator) + ", expected \"/\" or \".\"");
        }
        return new ChunkKeyEncoding(style, separator);
    }
}
