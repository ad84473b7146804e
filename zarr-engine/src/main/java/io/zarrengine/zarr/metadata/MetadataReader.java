package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.ByteOrderRun;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonWriter;
import java.util.List;

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
     * {@return the array or group that a document describes}
     *
     * @param document its name, for messages
     * @param text UTF-8
     * @param types the known data types
     * @throws FormatException if it is invalid, or requires an unknown feature
     */
    public static NodeMetadata read(String document, byte[] text, DataTypes types) {
        return node(JsonFields.parse(document, text), types);
    }

    static NodeMetadata node(JsonFields fields, DataTypes types) {
        fields.integer("zarr_format", 3, 3);
        String type = fields.string("node_type");
        return switch (type) {
            case "array" -> array(fields, types);
            case "group" -> group(fields);
            default ->
                    throw fields.error(
                            "node_type",
                            "is " + JsonWriter.show(type) + ", expected \"array\" or \"group\"");
        };
    }

    private static GroupMetadata group(JsonFields fields) {
        fields.names().forEach(member -> fields.refuseUnknown(member, GROUP_MEMBERS));
        return new GroupMetadata(Attributes.of(fields, "attributes"), 3);
    }

    private static ArrayMetadata array(JsonFields fields, DataTypes types) {
        fields.names().forEach(member -> fields.refuseUnknown(member, ARRAY_MEMBERS));
        long[] shape = fields.integers("shape", 0, Long.MAX_VALUE);
        DataType dataType = dataType(fields, types);
        if (fields.any("storage_transformers") != null
                && !fields.array("storage_transformers").isEmpty()) {
            throw fields.error("storage_transformers", "is not empty: none is known");
        }
        ArrayMetadata.Builder builder =
                ArrayMetadata.builder(dataType, shape)
                        .chunkGrid(ChunkGridReader.read(fields.object("chunk_grid"), shape))
                        .fillValue(fillValue(fields, dataType))
                        .chunkKeyEncoding(chunkKeyEncoding(fields))
                        .codecs(fields.extensions("codecs", CodecSpec::new))
                        .attributes(Attributes.of(fields, "attributes"));
        fields.names("dimension_names", shape.length).ifPresent(builder::dimensionNames);
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw fields.error(e);
        }
    }

    private static DataType dataType(JsonFields fields, DataTypes types) {
        if (!fields.has("data_type")) {
            throw fields.error("data_type", "is missing");
        }
        CodecSpec spec = fields.extension("data_type", CodecSpec::new);
        try {
            DataType type = types.named(spec.name(), spec.configuration());
            ByteOrderRun.of(type);
            return type;
        } catch (IllegalArgumentException e) {
            throw fields.error("data_type", e.getMessage());
        }
    }

    private static byte[] fillValue(JsonFields fields, DataType dataType) {
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
                            + JsonWriter.show(json)
                            + ", which is no "
                            + dataType.typeName()
                            + ": "
                            + e.getMessage());
        }
    }

    private static ChunkKeyEncoding chunkKeyEncoding(JsonFields fields) {
        CodecSpec spec = fields.extension("chunk_key_encoding", CodecSpec::new);
        JsonFields configuration =
                fields.nested("chunk_key_encoding.configuration", spec.configuration());
        ChunkKeyEncoding.Style style =
                switch (spec.name()) {
                    case "default" -> ChunkKeyEncoding.Style.DEFAULT;
                    case "v2" -> ChunkKeyEncoding.Style.V2;
                    default ->
                            throw fields.error(
                                    "chunk_key_encoding",
                                    "is "
                                            + JsonWriter.show(spec.name())
                                            + ", expected \"default\" or \"v2\"");
                };
        String usual = style == ChunkKeyEncoding.Style.DEFAULT ? "/" : ".";
        String separator = configuration.string("separator", usual);
        if (!ChunkKeyEncoding.isSeparator(separator)) {
            throw configuration.error(
                    "separator", "is " + JsonWriter.show(separator) + ", expected \"/\" or \".\"");
        }
        return new ChunkKeyEncoding(style, separator);
    }
}
