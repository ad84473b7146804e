package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.datatype.StructType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.Json;
import io.zarrengine.zarr.json.JsonValues;
import io.zarrengine.zarr.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes {@code zarr.json} documents of version 3, and other JSON. */
public final class MetadataWriter {
    private MetadataWriter() {}

    /**
     * {@return the document that describes an array}
     *
     * @param document name of the file, for messages
     * @param array the array
     * @throws FormatException if its elements are structs that only version 2 can describe, because
     *     a field is an array or has its own byte order; or if an attribute holds NaN, an infinity,
     *     or text with half a surrogate pair, or nests too deep to be read
     */
    public static byte[] write(String document, ArrayMetadata array) {
        check(document, array.attributes());
        if (array.dataType() instanceof StructType struct) {
            struct.fieldOfVersion2().ifPresent(field -> refuse(document, field));
        }
        return readable(document, toMap(array, WrittenCodecs.of(document, array)));
    }

    /**
     * Refuses attributes that the engine does not write.
     *
     * @param document name of the file, for messages
     * @param attributes values of a parsed document
     * @throws FormatException if one holds NaN, an infinity, or text with half a surrogate pair
     */
    public static void check(String document, Map<String, Object> attributes) {
        attributes.forEach((name, value) -> {
            Optional<String> cause =
                    JsonValues.unwritable(name).or(() -> JsonValues.unwritable(value));
            if (cause.isPresent()) {
                throw new FormatException(
                        document,
                        "attributes." + name,
                        "is " + JsonWriter.show(value) + ": " + cause.get());
            }
        });
    }

    /** Refuses a field whose bytes other readers would take for other values. */
    private static void refuse(String document, StructType.Field field) {
        throw new FormatException(
                document,
                "data_type",
                "cannot have the field \""
                        + field.name()
                        + "\": "
                        + (field.shape().isEmpty()
                                ? "a byte order of its own"
                                : "an array of the shape " + field.shape())
                        + " is for version 2 only");
    }

    /**
     * {@return the document that describes a group}
     *
     * @param document name of the file, for messages
     * @param group the group
     * @throws FormatException if an attribute holds NaN, an infinity, or text with half a surrogate
     *     pair, or nests too deep to be read
     */
    public static byte[] write(String document, GroupMetadata group) {
        check(document, group.attributes());
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("zarr_format", 3L);
        members.put("node_type", "group");
        members.put("attributes", group.attributes());
        return readable(document, members);
    }

    /** Refuses members that nest too deep, because no reader of the engine could read them back. */
    private static byte[] readable(String document, Map<String, Object> members) {
        byte[] text = JsonWriter.toJson(members, true);
        Json.parse(document, text);
        return text;
    }

    /**
     * {@return an array's document of version 3 as a JSON object; without attributes, if they are
     * invalid}
     *
     * @param array the array
     */
    public static Map<String, Object> toMap(ArrayMetadata array) {
        return toMap(array, array.codecs().stream().map(MetadataWriter::toMap).toList());
    }

    private static Object toMap(CodecSpec codec) {
        return codec.configuration().isEmpty()
                ? Map.of("name", codec.name())
                : named(codec.name(), codec.configuration());
    }

    private static Map<String, Object> toMap(ArrayMetadata array, List<?> codecs) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("zarr_format", 3L);
        document.put("node_type", "array");
        document.put("shape", longs(array.shape()));
        document.put("data_type", DataTypes.toJson(array.dataType()));
        document.put("chunk_grid", chunkGrid(array));
        ChunkKeyEncoding keys = array.chunkKeyEncoding();
        String style = keys.style() == ChunkKeyEncoding.Style.DEFAULT ? "default" : "v2";
        document.put("chunk_key_encoding", named(style, Map.of("separator", keys.separator())));
        document.put("fill_value", array.dataType().fillValueToJson(array.fillValue()));
        document.put("codecs", codecs);
        if (array.attributesProblem().isEmpty()) {
            document.put("attributes", array.attributes());
        }
        array.dimensionNames().ifPresent(names -> document.put("dimension_names", names));
        return document;
    }

    /**
     * {@return a JSON value as UTF-8 text}
     *
     * @param value maps, lists, strings, numbers, booleans, null
     * @param indented whether to use several lines
     */
    public static byte[] toJson(Object value, boolean indented) {
        return JsonWriter.toJson(value, indented);
    }

    /**
     * {@return a JSON value as one line}
     *
     * @param value maps, lists, strings, numbers, booleans, null
     */
    public static String toLine(Object value) {
        return JsonWriter.toLine(value);
    }

    private static Map<String, Object> chunkGrid(ArrayMetadata array) {
        ChunkGrid grid = array.chunkGrid();
        if (grid.isRegular()) {
            return named("regular", Map.of("chunk_shape", longs(array.chunkShape())));
        }
        long[] counts = grid.gridShape(array.shape());
        List<Object> shapes = new ArrayList<>();
        for (int d = 0; d < grid.rank(); d++) {
            shapes.add(chunkLengths(grid.dimensions().get(d), counts[d]));
        }
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("kind", "inline");
        configuration.put("chunk_shapes", shapes);
        return named("rectilinear", configuration);
    }

    private static Object chunkLengths(ChunkEdges edges, long count) {
        if (edges instanceof ChunkEdges.Regular regular) {
            return regular.length();
        }
        List<Object> lengths = new ArrayList<>();
        for (long chunk = 0; chunk < count; chunk++) {
            lengths.add(edges.length(chunk));
        }
        return lengths;
    }

    private static Map<String, Object> named(String name, Map<String, Object> configuration) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", name);
        object.put("configuration", configuration);
        return object;
    }

    private static List<Object> longs(long[] values) {
        List<Object> list = new ArrayList<>();
        for (long value : values) {
            list.add(value);
        }
        return list;
    }
}
