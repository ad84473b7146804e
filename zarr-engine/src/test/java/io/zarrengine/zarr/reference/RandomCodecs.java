package io.zarrengine.zarr.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/** Generator of codecs, as metadata spells them. */
record RandomCodecs(SplittableRandom random) {
    private static final List<String> COMPRESSORS =
            List.of("gzip", "zlib", "zstd", "lz4", "blosc", "blosc", "zstd", "gzip", "lz4", "slow");

    /** Codecs used seldom, because their encoders take a millisecond for a byte. */
    private static final List<String> SLOW = List.of("bz2", "lzma");

    private static final List<String> OTHERS =
            List.of("crc32c", "crc32", "adler32", "fletcher32", "jenkins_lookup3");

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String bytesCodec(boolean compressor) {
        String name = one(compressor ? COMPRESSORS : OTHERS);
        if (!name.equals("slow")) {
            return name;
        }
        return random.nextInt(3) == 0 ? one(SLOW) : "zlib";
    }

    static Map<String, Object> codec(String name, Map<String, ?> configuration) {
        Map<String, Object> codec = new LinkedHashMap<>();
        codec.put("name", name);
        if (!configuration.isEmpty()) {
            codec.put("configuration", configuration);
        }
        return codec;
    }

    /**
     * Returns the codecs of chunks with a shape and a type.
     *
     * @param depth levels of shards
     * @param filters how many filters may compute; negative for types that cannot be computed with
     */
    List<Object> chain(ReferenceType type, int[] shape, int depth, int filters) {
        List<Object> codecs = new ArrayList<>();
        boolean computed = filters >= 0;
        int[] encoded = transposed(codecs, shape);
        if (depth > 0) {
            boolean filtered = filters > 0 && random.nextInt(3) == 0;
            ReferenceType stored =
                    filtered ? new RandomFilters(random).addBeforeShard(codecs, type) : type;
            if (random.nextInt(10) == 0) {
                encoded = transposed(codecs, reshaped(codecs, encoded));
            }
            int[] inner = Arrays.stream(encoded).map(this::divisor).toArray();
            int left = filtered ? filters - 1 : filters;
            codecs.add(codec("sharding_indexed", shard(stored, inner, depth, left)));
            if (random.nextInt(6) == 0) {
                codecs.addAll(bytesCodecs(type));
            }
            return codecs;
        }
        ReferenceType stored =
                computed ? new RandomFilters(random).add(codecs, type, filters) : type;
        if (random.nextInt(8) == 0) {
            transposed(codecs, reshaped(codecs, encoded));
        }
        List<Object> serializer = serializer(stored, computed);
        codecs.addAll(serializer);
        boolean plain = ((Map<?, ?>) serializer.getFirst()).get("name").equals("bytes");
        if (plain && stored.size() == type.size() && random.nextInt(4) == 0) {
            codecs.add(codec("numcodecs.shuffle", shuffle(type, computed)));
        }
        codecs.addAll(bytesCodecs(type));
        return codecs;
    }

    /** Adds transposes. Returns the shape after them. */
    private int[] transposed(List<Object> codecs, int[] shape) {
        int[] encoded = shape;
        while (random.nextInt(3) == 0) {
            List<Integer> order = order(shape.length);
            codecs.add(codec("transpose", Map.of("order", order)));
            int[] before = encoded;
            encoded = order.stream().mapToInt(d -> before[d]).toArray();
        }
        return encoded;
    }

    /** Joins the first dimensions, or all of them, or adds one of length 1. */
    private int[] reshaped(List<Object> codecs, int[] shape) {
        int joined = random.nextInt(shape.length + 1);
        List<Object> lengths = new ArrayList<>();
        List<Integer> first = new ArrayList<>();
        int product = 1;
        for (int d = 0; d < joined; d++) {
            first.add(d);
            product *= shape[d];
        }
        lengths.add(random.nextInt(3) == 0 ? -1 : joined == 0 ? 1 : first);
        int[] result = new int[1 + shape.length - joined];
        result[0] = product;
        for (int d = joined; d < shape.length; d++) {
            lengths.add(List.of(d)); // not its length, which differs between the chunks of a grid
            result[1 + d - joined] = shape[d];
        }
        codecs.add(codec("reshape", Map.of("shape", lengths)));
        return result;
    }

    private Map<String, Object> shard(ReferenceType type, int[] inner, int depth, int filters) {
        Map<String, Object> shard = new LinkedHashMap<>();
        shard.put("chunk_shape", Arrays.stream(inner).boxed().toList());
        shard.put("codecs", chain(type, inner, depth - 1, filters));
        List<Object> index = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            index.add(codec("transpose", Map.of("order", order(inner.length + 1))));
        }
        index.add(codec("bytes", endian()));
        if (random.nextBoolean()) {
            index.add(codec("crc32c", Map.of()));
        }
        shard.put("index_codecs", index);
        if (random.nextBoolean()) {
            shard.put("index_location", random.nextBoolean() ? "start" : "end");
        }
        return shard;
    }

    /**
     * Returns a shuffle of whole elements. Without a configuration, the element size after codecs
     * that change the type is not specified.
     */
    private Map<String, Object> shuffle(ReferenceType type, boolean computed) {
        return !computed && random.nextBoolean()
                ? Map.of()
                : Map.of("elementsize", divisor(type.size()));
    }

    private Map<String, String> endian() {
        return Map.of("endian", random.nextBoolean() ? "little" : "big");
    }

    private List<Object> serializer(ReferenceType type, boolean computed) {
        return switch (type.kind()) {
            case STRING -> List.of(codec("vlen-utf8", Map.of()));
            case BYTES -> List.of(codec("vlen-bytes", Map.of()));
            case BOOL -> {
                int kind = random.nextInt(3);
                yield kind == 0
                        ? List.of(codec("numcodecs.packbits", Map.of()), codec("bytes", Map.of()))
                        : kind == 1 ? List.of(packBits(type)) : List.of(codec("bytes", Map.of()));
            }
            case SIGNED, UNSIGNED, FLOAT, BRAIN_FLOAT, TINY_FLOAT, COMPLEX ->
                    random.nextInt(5) == 0 && !computed
                            ? List.of(packBits(type))
                            : List.of(codec("bytes", endian()));
            default -> List.of(codec("bytes", endian()));
        };
    }

    private Map<String, Object> packBits(ReferenceType type) {
        Map<String, Object> configuration = new LinkedHashMap<>();
        if (random.nextBoolean()) {
            configuration.put("padding_encoding", one(List.of("none", "first_byte", "last_byte")));
        }
        if (random.nextBoolean() && type.kind() != ReferenceType.Kind.BOOL) {
            int first = random.nextInt(type.bits());
            configuration.put("first_bit", first);
            configuration.put("last_bit", random.nextInt(first, type.bits()));
        }
        return codec("packbits", configuration);
    }

    private List<Object> bytesCodecs(ReferenceType type) {
        List<Object> codecs = new ArrayList<>();
        for (int n = random.nextInt(4); n > 0; n--) {
            boolean compressor = random.nextBoolean();
            String name = bytesCodec(compressor);
            Map<String, Object> configuration = configuration(name, type, false);
            boolean plain = List.of("crc32c", "gzip", "zstd", "blosc").contains(name);
            boolean prefix = !plain || random.nextInt(4) == 0;
            if (plain && prefix) {
                configuration = configuration(name, type, true);
            }
            codecs.add(codec(prefix ? "numcodecs." + name : name, configuration));
        }
        return codecs;
    }

    /** Returns a filter or a compressor of version 2. */
    Map<String, Object> ofVersion2(boolean compressor, ReferenceType type) {
        Map<String, Object> codec = new LinkedHashMap<>();
        String name = bytesCodec(compressor);
        codec.put("id", name);
        codec.putAll(configuration(name, type, true));
        return codec;
    }

    private Map<String, Object> configuration(String name, ReferenceType type, boolean numcodecs) {
        Map<String, Object> configuration = new LinkedHashMap<>();
        switch (name) {
            case "gzip", "zlib", "bz2" -> configuration.put("level", 1 + random.nextInt(9));
            case "zstd" -> {
                configuration.put("level", random.nextInt(5));
                configuration.put("checksum", random.nextBoolean());
            }
            case "blosc" -> blosc(configuration, type, numcodecs);
            case "jenkins_lookup3" -> {
                if (random.nextBoolean()) {
                    configuration.put("initval", random.nextLong(1L << 32));
                    configuration.put("prefix", List.of(random.nextInt(256), random.nextInt(256)));
                }
            }
            case "crc32", "adler32" -> {
                if (random.nextBoolean()) {
                    configuration.put("location", one(List.of("start", "end")));
                }
            }
            default -> {}
        }
        return configuration;
    }

    private void blosc(Map<String, Object> configuration, ReferenceType type, boolean numcodecs) {
        int shuffle = random.nextInt(3);
        configuration.put(
                "cname", one(List.of("blosclz", "lz4", "lz4hc", "zlib", "zstd", "snappy")));
        configuration.put("clevel", 5);
        if (numcodecs) {
            configuration.put("shuffle", shuffle);
        } else {
            configuration.put(
                    "shuffle", List.of("noshuffle", "shuffle", "bitshuffle").get(shuffle));
        }
        int size = Math.clamp(type.size(), 1, 255);
        configuration.put("typesize", random.nextInt(4) == 0 ? 1 + random.nextInt(20) : size);
        configuration.put("blocksize", one(List.of(0, 16, 128, 500, 2048, 100_000)));
    }

    List<Integer> order(int rank) {
        List<Integer> order = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            order.add(d);
        }
        Collections.shuffle(order, new Random(random.nextLong()));
        return order;
    }

    private int divisor(int length) {
        int divisor = 1 + random.nextInt(length);
        while (length % divisor != 0) {
            divisor--;
        }
        return divisor;
    }
}
