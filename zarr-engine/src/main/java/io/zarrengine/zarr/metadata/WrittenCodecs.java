package io.zarrengine.zarr.metadata;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Codecs as a document has them that all readers take. zarr-java refuses an empty configuration of
 * {@code crc32c}; zarr-python refuses most others without one; TensorStore and zarr-java want each
 * member of those that the specification lists.
 */
final class WrittenCodecs {
    private static final Set<String> WITHOUT_CONFIGURATION =
            Set.of("bytes", "crc32c", "vlen-utf8", "vlen-bytes");

    private static final String SHARDING = "sharding_indexed";
    private static final List<String> CHAINS_OF_SHARDING = List.of("codecs", "index_codecs");

    private WrittenCodecs() {}

    /**
     * {@return the codecs as JSON objects}
     *
     * @param specs in the order of encoding
     */
    static List<Object> of(List<CodecSpec> specs) {
        List<Object> codecs = new ArrayList<>();
        for (CodecSpec spec : specs) {
            codecs.add(of(spec.name(), spec.configuration()));
        }
        return codecs;
    }

    private static Map<String, Object> of(String name, Map<?, ?> configuration) {
        Map<String, Object> members = new LinkedHashMap<>();
        configuration.forEach((key, value) -> members.put((String) key, value));
        switch (name) {
            case "zstd" -> {
                members.putIfAbsent("level", 0L);
                members.putIfAbsent("checksum", false);
            }
            case "gzip" -> members.putIfAbsent("level", 5L);
            case SHARDING ->
                    CHAINS_OF_SHARDING.forEach(
                            chain -> members.computeIfPresent(chain, (_, codecs) -> chain(codecs)));
            default -> {}
        }
        Map<String, Object> codec = new LinkedHashMap<>();
        codec.put("name", name);
        if (!members.isEmpty() || !WITHOUT_CONFIGURATION.contains(name)) {
            codec.put("configuration", members);
        }
        return codec;
    }

    /** What a program gave as it is, if it is no chain: the codec itself says what is wrong. */
    private static Object chain(Object codecs) {
        if (!(codecs instanceof List<?> list)) {
            return codecs;
        }
        List<Object> chain = new ArrayList<>();
        for (Object codec : list) {
            chain.add(
                    switch (codec) {
                        case String name -> of(name, Map.of());
                        case Map<?, ?> object when object.get("name") instanceof String name ->
                                of(
                                        name,
                                        object.get("configuration") instanceof Map<?, ?> members
                                                ? members
                                                : Map.of());
                        case null, default -> codec;
                    });
        }
        return chain;
    }
}
