package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumpyType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonWriter;
import io.zarrengine.zarr.json.Numcodecs;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the documents of version 2, {@code .zarray}, {@code .zgroup} and {@code .zattrs}, and
 * converts them to version 3. Order F becomes a transpose. Filters and compressor become codecs
 * with the names that numcodecs uses in version 3. The byte order of the type becomes that of the
 * bytes codec.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html">Zarr v2</a>
 */
public final class MetadataV2Reader {
    /** Filters that encode an array as another array; all others encode bytes as bytes. */
    private static final Set<String> ARRAY_FILTERS =
            Set.of(
                    "delta",
                    "fixedscaleoffset",
                    "quantize",
                    "bitround",
                    "astype",
                    "packbits",
                    "categorize");

    private static final List<String> VARIABLE_LENGTH_FILTERS =
            List.of("vlen-utf8", "vlen-bytes", "vlen-array", "json2", "categorize");

    /** numcodecs' default in bytes. In version 3, the default is the size of the data type. */
    private static final long SHUFFLE_ELEMENT_BYTES = 4;

    private final JsonFields fields;

    private MetadataV2Reader(JsonFields fields) {
        this.fields = fields;
    }

    /**
     * {@return the array that a {@code .zarray} describes}
     *
     * @param document the {@code .zarray}
     * @param attributes the {@code .zattrs} beside it; empty if there is none
     * @throws io.zarrengine.zarr.errors.FormatException if it is invalid, or requires an unknown
     *     feature; invalid attributes are only noted in the metadata
     */
    public static ArrayMetadata readArray(Document document, Optional<Document> attributes) {
        return readArray(
                JsonFields.parse(document.name(), document.text()), readAttributes(attributes));
    }

    /**
     * {@return the group that a {@code .zgroup} describes}
     *
     * @param document the {@code .zgroup}
     * @param attributes the {@code .zattrs} beside it; empty if there is none
     * @throws io.zarrengine.zarr.errors.FormatException if it is invalid; invalid attributes are
     *     only noted in the metadata
     */
    public static GroupMetadata readGroup(Document document, Optional<Document> attributes) {
        return readGroup(
                JsonFields.parse(document.name(), document.text()), readAttributes(attributes));
    }

    private static Attributes readAttributes(Optional<Document> document) {
        return document.map(Attributes::of).orElse(Attributes.NONE);
    }

    static GroupMetadata readGroup(JsonFields fields, Attributes attributes) {
        fields.integer("zarr_format", 2, 2);
        return new GroupMetadata(attributes, 2);
    }

    static ArrayMetadata readArray(JsonFields fields, Attributes attributes) {
        fields.integer("zarr_format", 2, 2);
        return new MetadataV2Reader(fields).array(attributes);
    }

    private ArrayMetadata array(Attributes attributes) {
        long[] shape = fields.integers("shape", 0, Long.MAX_VALUE);
        NumpyType stored = storedType();
        List<CodecSpec> filters = filters();
        DataType type = stored.type().orElseGet(() -> objectType(filters));
        Chain chain = new Chain();
        addCodecs(chain, type, stored.order(), filters, shape.length);
        ArrayMetadata.Builder builder =
                ArrayMetadata.builder(type, shape)
                        .zarrFormat(2)
                        .chunkShape(ChunkGridReader.lengths(fields, "chunks", shape))
                        .fillValue(fillValue(type))
                        .chunkKeyEncoding(
                                new ChunkKeyEncoding(ChunkKeyEncoding.Style.V2, separator()))
                        .codecs(chain.codecs, chain.places)
                        .attributes(attributes);
        if (fields.any("fill_value") == null) {
            builder.withoutFillValue();
        }
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw fields.error(e);
        }
    }

    private NumpyType storedType() {
        if (!fields.has("dtype")) {
            throw fields.error("dtype", "is missing");
        }
        try {
            return NumpyType.parse(fields.any("dtype"));
        } catch (IllegalArgumentException e) {
            throw fields.error("dtype", e.getMessage());
        }
    }

    private String separator() {
        String separator = fields.string("dimension_separator", "");
        if (separator.isEmpty()) {
            return ".";
        }
        if (!ChunkKeyEncoding.isSeparator(separator)) {
            throw fields.error(
                    "dimension_separator",
                    "is " + JsonWriter.show(separator) + ", expected \"/\" or \".\"");
        }
        return separator;
    }

    private List<CodecSpec> filters() {
        List<CodecSpec> filters = new ArrayList<>();
        if (fields.any("filters") != null) {
            List<?> list = fields.array("filters");
            for (int i = 0; i < list.size(); i++) {
                filters.add(numcodec(filterPlace(i), list.get(i)));
            }
        }
        return filters;
    }

    /** Parses a codec of numcodecs: its id and its configuration in one object. */
    private CodecSpec numcodec(String name, Object json) {
        if (!(json instanceof Map<?, ?> object)) {
            throw fields.error(name, "is " + JsonWriter.show(json) + ", expected an object");
        }
        JsonFields codec = fields.nested(name, object);
        Map<String, Object> configuration = new LinkedHashMap<>(codec.toMap());
        configuration.remove("id");
        String id = codec.string("id");
        if (id.equals("shuffle") && configuration.get("elementsize") == null) {
            configuration.put("elementsize", SHUFFLE_ELEMENT_BYTES);
        }
        return new CodecSpec(Numcodecs.name(id), configuration);
    }

    private static String id(CodecSpec codec) {
        return Numcodecs.id(codec.name());
    }

    /** Returns the type of objects, which the filter that encodes them decides. */
    private DataType objectType(List<CodecSpec> filters) {
        for (int i = 0; i < filters.size(); i++) {
            switch (id(filters.get(i))) {
                case "vlen-utf8", "categorize" -> {
                    return VariableLengthType.STRING;
                }
                case "vlen-bytes" -> {
                    return VariableLengthType.BYTES;
                }
                case "json2" -> {
                    return VariableLengthType.JSON;
                }
                case "vlen-array" -> {
                    return VariableLengthType.arrayOf(itemType(i, filters.get(i)));
                }
                default -> {}
            }
        }
        throw fields.error(
                "filters",
                "has none that encodes objects and is known: "
                        + String.join(", ", VARIABLE_LENGTH_FILTERS)
                        + "; it has "
                        + filters.stream().map(MetadataV2Reader::id).toList());
    }

    private NumericType itemType(int index, CodecSpec filter) {
        JsonFields configuration = fieldsOf(index, filter);
        try {
            String dtype = configuration.string("dtype");
            NumericType type = NumpyType.numeric(dtype);
            if (NumpyType.parse(dtype).order() == ByteOrder.BIG_ENDIAN && type.byteSize() > 1) {
                throw configuration.error("dtype", "is big-endian: not supported in vlen-array");
            }
            return type;
        } catch (IllegalArgumentException e) {
            throw configuration.error("dtype", e.getMessage());
        }
    }

    private JsonFields fieldsOf(int index, CodecSpec filter) {
        return new JsonFields(fields.document(), filterPlace(index), filter.configuration());
    }

    private static String filterPlace(int index) {
        return "filters[" + index + "]";
    }

    /** Codecs, each with the field of the document that it comes from. */
    private static final class Chain {
        private final List<CodecSpec> codecs = new ArrayList<>();
        private final List<String> places = new ArrayList<>();

        void add(String place, CodecSpec codec) {
            codecs.add(codec);
            places.add(place);
        }

        void addFilters(List<CodecSpec> filters, int from, int to) {
            for (int i = from; i < to; i++) {
                add(filterPlace(i), filters.get(i));
            }
        }
    }

    private void addCodecs(
            Chain chain, DataType type, ByteOrder order, List<CodecSpec> filters, int rank) {
        if (isColumnMajor()) {
            int[] reversed = new int[rank];
            for (int i = 0; i < rank; i++) {
                reversed[i] = rank - 1 - i;
            }
            chain.add("order", CodecSpec.transpose(reversed));
        }
        int firstOfBytes = 0; // index of the first filter that encodes bytes
        while (firstOfBytes < filters.size()
                && ARRAY_FILTERS.contains(id(filters.get(firstOfBytes)))) {
            firstOfBytes++;
        }
        chain.addFilters(filters, 0, firstOfBytes);
        if (!(type instanceof VariableLengthType)) {
            chain.add("dtype", bytes(storedOrder(order, filters.subList(0, firstOfBytes))));
        }
        chain.addFilters(filters, firstOfBytes, filters.size());
        Object compressor = fields.any("compressor");
        if (compressor != null) {
            chain.add("compressor", numcodec("compressor", compressor));
        }
    }

    private boolean isColumnMajor() {
        String order = fields.string("order");
        return switch (order) {
            case "C" -> false;
            case "F" -> true;
            default ->
                    throw fields.error(
                            "order", "is " + JsonWriter.show(order) + ", expected \"C\" or \"F\"");
        };
    }

    private static CodecSpec bytes(ByteOrder order) {
        String endian = order == ByteOrder.BIG_ENDIAN ? "big" : "little";
        return new CodecSpec("bytes", Map.of("endian", endian));
    }

    /** Returns the byte order of stored elements. The last filter that names a type decides it. */
    private ByteOrder storedOrder(ByteOrder ofType, List<CodecSpec> filters) {
        ByteOrder order = ofType;
        for (int i = 0; i < filters.size(); i++) {
            for (String name : List.of("dtype", "astype", "encode_dtype")) {
                if (filters.get(i).configuration().get(name) instanceof String text) {
                    try {
                        order = NumpyType.parse(text).order();
                    } catch (IllegalArgumentException e) {
                        throw fieldsOf(i, filters.get(i)).error(name, e.getMessage());
                    }
                }
            }
        }
        return order;
    }

    private byte[] fillValue(DataType type) {
        Object json = fields.any("fill_value");
        try {
            return FillValueV2.parse(type, json);
        } catch (IllegalArgumentException e) {
            throw fields.error(
                    "fill_value",
                    "is "
                            + JsonWriter.show(json)
                            + ", which is no "
                            + type.typeName()
                            + ": "
                            + e.getMessage());
        }
    }
}
