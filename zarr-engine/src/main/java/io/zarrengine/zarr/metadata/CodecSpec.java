package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.json.JsonValues;
import io.zarrengine.zarr.json.JsonWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A codec, or another extension point, as in metadata: a name and a configuration.
 *
 * @param name e.g. {@code "zstd"}
 * @param configuration its JSON object: strings, {@code Long}, {@code BigInteger}, {@code
 *     BigDecimal}, {@code Double} for NaN, infinities and -0.0, booleans, null, lists and maps;
 *     other numbers become one of these, arrays become lists
 */
public record CodecSpec(String name, Map<String, Object> configuration) {
    /**
     * Copies the configuration, with its numbers in JSON's types.
     *
     * @throws IllegalArgumentException if it holds a value that is not JSON
     */
    public CodecSpec {
        configuration = JsonValues.inMap("codec " + name + ", member", configuration);
    }

    /** {@return the name and the configuration, as JSON} */
    @Override
    public String toString() {
        return configuration.isEmpty() ? name : name + " " + JsonWriter.toLine(configuration);
    }

    /** {@return the {@code bytes} codec, little-endian} */
    public static CodecSpec bytes() {
        return new CodecSpec("bytes", Map.of("endian", "little"));
    }

    /** {@return the codec that only turns elements of a type into bytes} */
    static CodecSpec plain(DataType type) {
        if (!(type instanceof VariableLengthType variable)) {
            return bytes();
        }
        String name =
                switch (variable.kind()) {
                    case STRING -> "vlen-utf8";
                    case BYTES -> "vlen-bytes";
                    case ARRAY -> "vlen-array";
                    case JSON -> "json2";
                };
        return new CodecSpec(name, Map.of());
    }

    /**
     * {@return the {@code transpose} codec}
     *
     * @param order dimension {@code i} of the encoded chunk is {@code order[i]} of the decoded one
     */
    public static CodecSpec transpose(int... order) {
        List<Object> dimensions = new ArrayList<>();
        for (int dimension : order) {
            dimensions.add((long) dimension);
        }
        return new CodecSpec("transpose", Map.of("order", dimensions));
    }

    /**
     * {@return the {@code zstd} codec, without a checksum}
     *
     * @param level -131072 to 22
     */
    public static CodecSpec zstd(int level) {
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("level", (long) level);
        configuration.put("checksum", false);
        return new CodecSpec("zstd", configuration);
    }

    /**
     * {@return the {@code gzip} codec}
     *
     * @param level 0 to 9
     */
    public static CodecSpec gzip(int level) {
        return new CodecSpec("gzip", Map.of("level", (long) level));
    }

    /** {@return the {@code crc32c} codec} */
    public static CodecSpec crc32c() {
        return new CodecSpec("crc32c", Map.of());
    }

    /**
     * {@return the {@code sharding_indexed} codec, with a checksummed index at the end}
     *
     * @param innerShape the shape of an inner chunk
     * @param codecs the codecs of an inner chunk, in the order of encoding
     */
    public static CodecSpec sharding(long[] innerShape, CodecSpec... codecs) {
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("chunk_shape", Arrays.stream(innerShape).boxed().toList());
        configuration.put("codecs", objects(codecs));
        configuration.put("index_codecs", objects(bytes(), crc32c()));
        configuration.put("index_location", "end");
        return new CodecSpec("sharding_indexed", configuration);
    }

    private static List<Object> objects(CodecSpec... specs) {
        List<Object> objects = new ArrayList<>();
        for (CodecSpec spec : specs) {
            // The order is the same on every machine.
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", spec.name);
            if (!spec.configuration.isEmpty()) {
                object.put("configuration", spec.configuration);
            }
            objects.add(object);
        }
        return objects;
    }
}
