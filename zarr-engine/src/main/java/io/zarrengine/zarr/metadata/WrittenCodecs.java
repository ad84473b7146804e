package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.Numcodecs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Writes codecs into a new document in a form that all readers accept, also if a program or a
 * leniently read document gave another form.
 *
 * <p>A configuration has the members that the codec defines, and no others, because zarr-python
 * refuses unknown members. Symbolic values are resolved: the order of a transpose, the element size
 * of a shuffle. zarr-java refuses an empty configuration of {@code crc32c}; TensorStore and
 * zarr-java require each member of the codecs of the specification.
 */
final class WrittenCodecs {
    private static final String SHARDING = "sharding_indexed";
    private static final List<String> CHAINS_OF_SHARDING = List.of("codecs", "index_codecs");

    private static final Set<String> WITHOUT_CONFIGURATION =
            Set.of("bytes", "crc32c", "vlen-utf8", "vlen-bytes");

    /** Members of those codecs of the specification that can be written. */
    private static final Map<String, List<String>> OF_SPECIFICATION =
            Map.of(
                    "bytes", List.of("endian"),
                    "crc32c", List.of(),
                    "gzip", List.of("level"),
                    "transpose", List.of("order"),
                    "zstd", List.of("level", "checksum"));

    /** Members of numcodecs' codecs that can be written, by their ids. */
    private static final Map<String, List<String>> OF_NUMCODECS =
            Map.of(
                    "adler32", List.of("location"),
                    "base64", List.of(),
                    "bz2", List.of("level"),
                    "crc32", List.of("location"),
                    "fletcher32", List.of(),
                    "jenkins_lookup3", List.of("initval", "prefix"),
                    "lz4", List.of("acceleration"),
                    "lzma", List.of("format", "check", "preset", "filters"),
                    "shuffle", List.of("elementsize"),
                    "zlib", List.of("level"));

    private final String document;
    private final long elementBytes;

    private WrittenCodecs(String document, long elementBytes) {
        this.document = document;
        this.elementBytes = elementBytes;
    }

    /**
     * {@return the codecs as JSON objects}
     *
     * @param document name of the file, for messages
     * @param array an array whose codecs can be written
     */
    static List<Object> of(String document, ArrayMetadata array) {
        long elementBytes = array.dataType().byteSize();
        return new WrittenCodecs(document, elementBytes).chain(array.codecs(), array.rank());
    }

    /** Returns a chain as JSON. {@code rank} is the rank of the first codec's input. */
    private List<Object> chain(List<CodecSpec> specs, int rank) {
        List<Object> codecs = new ArrayList<>();
        for (CodecSpec spec : specs) {
            codecs.add(codec(spec, rank));
        }
        return codecs;
    }

    private Map<String, Object> codec(CodecSpec spec, int rank) {
        String id = Numcodecs.id(spec.name());
        boolean isOfNumcodecs = OF_NUMCODECS.containsKey(id);
        List<String> known =
                isOfNumcodecs ? OF_NUMCODECS.get(id) : OF_SPECIFICATION.get(spec.name());
        Map<String, Object> members = new LinkedHashMap<>(spec.configuration());
        if (spec.name().equals(SHARDING)) {
            shard(spec, members, rank);
        } else if (known != null) {
            members.keySet().retainAll(known);
            members.values().removeIf(Objects::isNull);
            resolve(id, members, rank);
        }
        Map<String, Object> codec = new LinkedHashMap<>();
        codec.put("name", isOfNumcodecs ? Numcodecs.name(id) : spec.name());
        if (!members.isEmpty() || !WITHOUT_CONFIGURATION.contains(spec.name())) {
            codec.put("configuration", members);
        }
        return codec;
    }

    private void shard(CodecSpec spec, Map<String, Object> members, int rank) {
        members.values().removeIf(Objects::isNull);
        JsonFields fields = JsonFields.ofCodec(document, spec.name(), spec.configuration());
        for (String chain : CHAINS_OF_SHARDING) {
            // An index also has a dimension of offset and size.
            int rankOfChain = chain.equals("codecs") ? rank : rank + 1;
            members.put(chain, chain(fields.extensions(chain, CodecSpec::new), rankOfChain));
        }
    }

    private void resolve(String id, Map<String, Object> members, int rank) {
        switch (id) {
            case "zstd" -> {
                members.putIfAbsent("level", 0L);
                members.putIfAbsent("checksum", false);
            }
            // numcodecs takes an empty list for filters.
            case "lzma" -> members.remove("filters", List.of());
            case "gzip" -> members.putIfAbsent("level", 5L);
            case "shuffle" -> members.put("elementsize", elementSize(members.get("elementsize")));
            case "transpose" -> members.computeIfPresent("order", (_, order) -> order(order, rank));
            default -> {}
        }
    }

    private long elementSize(Object size) {
        long bytes =
                switch (size) {
                    case Number number -> number.longValue();
                    case String text -> Long.parseLong(text); // The reader accepts numbers as text.
                    case null, default -> 0;
                };
        return bytes == 0 ? elementBytes : bytes;
    }

    private static Object order(Object order, int rank) {
        boolean isReversed = order.equals("F");
        return isReversed || order.equals("C")
                ? LongStream.range(0, rank).map(d -> isReversed ? rank - 1 - d : d).boxed().toList()
                : order;
    }
}
