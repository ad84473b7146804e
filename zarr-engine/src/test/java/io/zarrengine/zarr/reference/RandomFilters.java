package io.zarrengine.zarr.reference;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Generator of filters that compute. It makes only filters with one right answer: NumPy does not
 * define floats outside an integer's range, for example.
 */
record RandomFilters(SplittableRandom random) {
    private static final List<String> SIGNED = List.of("i1", "i2", "i4", "i8");
    private static final List<String> UNSIGNED = List.of("u1", "u2", "u4", "u8");
    private static final List<String> FLOATS = List.of("f4", "f8");

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Returns NumPy's name, without byte order. */
    static String name(ReferenceType type) {
        String kind =
                switch (type.kind()) {
                    case SIGNED -> "i";
                    case UNSIGNED -> "u";
                    case FLOAT -> "f";
                    default -> throw new IllegalArgumentException(type.toString());
                };
        return kind + type.size();
    }

    /** Adds a few filters of version 3. Returns the type that they store. */
    ReferenceType add(List<Object> codecs, ReferenceType ofArray, int filtersMax) {
        String type = name(ofArray);
        for (int n = random.nextInt(filtersMax + 1); n > 0; n--) {
            type = addOne(codecs, type);
        }
        if (random.nextInt(5) == 0) {
            type = addCast(codecs, type);
        }
        if (random.nextInt(5) == 0) {
            codecs.add(scaleOffset());
        }
        return ReferenceType.parseV2("<" + type);
    }

    private String addOne(List<Object> codecs, String type) {
        Map<String, Object> filter = next(type, false);
        String id = (String) filter.remove("id");
        codecs.add(RandomCodecs.codec("numcodecs." + id, filter));
        return stored(filter, type);
    }

    /** Adds one filter. Returns the type that it stores. */
    ReferenceType addBeforeShard(List<Object> codecs, ReferenceType ofArray) {
        String type = name(ofArray);
        boolean wide = type.startsWith("f") || type.equals("i4") || type.equals("i8");
        if (wide && random.nextInt(5) == 0) {
            // no scale: the output of filters further down has other divisors
            codecs.add(RandomCodecs.codec("scale_offset", Map.of("offset", random.nextInt(20))));
            return ofArray;
        }
        return ReferenceType.parseV2("<" + addOne(codecs, type));
    }

    /** Adds a cast. The stored values are small, so every type chosen here holds all of them. */
    private String addCast(List<Object> codecs, String type) {
        String stored = type.startsWith("f") ? one(one(List.of(SIGNED, FLOATS))) : sameKind(type);
        String kind =
                switch (stored.charAt(0)) {
                    case 'i' -> "int";
                    case 'u' -> "uint";
                    default -> "float";
                };
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("data_type", kind + 8 * (stored.charAt(1) - '0'));
        if (random.nextBoolean()) {
            configuration.put("rounding", one(List.of("nearest-even", "towards-zero")));
        }
        if (random.nextBoolean()) {
            configuration.put("out_of_range", "clamp");
        }
        codecs.add(RandomCodecs.codec("cast_value", configuration));
        return stored;
    }

    /** Returns filters of version 2. */
    List<Object> ofVersion2(String dtype) {
        List<Object> filters = new ArrayList<>();
        String type = dtype.substring(1);
        String current = dtype;
        for (int n = random.nextInt(3); n > 0; n--) {
            Map<String, Object> filter = next(type, true);
            for (String name : List.of("dtype", "decode_dtype")) {
                filter.replace(name, current);
            }
            type = stored(filter, type);
            for (String name : List.of("astype", "encode_dtype")) {
                if (filter.containsKey(name)) {
                    current = one(List.of("<", ">")) + type;
                    filter.put(name, current);
                }
            }
            filters.add(filter);
        }
        return filters;
    }

    private static String stored(Map<String, Object> filter, String type) {
        for (String name : List.of("astype", "encode_dtype")) {
            if (filter.get(name) instanceof String text) {
                return text.substring(1);
            }
        }
        return type;
    }

    private Map<String, Object> next(String type, boolean all) {
        boolean real = type.startsWith("f");
        boolean wide = real || type.equals("i4") || type.equals("i8");
        return switch (random.nextInt(real ? 5 : wide ? 3 : 2)) {
            case 0 -> filter("delta", type, sameKind(type), all);
            case 1 -> {
                Map<String, Object> filter = new LinkedHashMap<>();
                filter.put("id", "astype");
                filter.put("encode_dtype", "<" + castable(type));
                filter.put("decode_dtype", "<" + type);
                yield filter;
            }
            case 2 -> {
                List<String> types = random.nextBoolean() ? SIGNED : FLOATS;
                Map<String, Object> filter = filter("fixedscaleoffset", type, one(types), true);
                filter.put("scale", one(List.of(1, 10, 0.5, 0.1, 3)));
                filter.put("offset", one(List.of(0, 100, -7, 2.5)));
                yield filter;
            }
            case 3 -> {
                Map<String, Object> filter = filter("quantize", type, one(FLOATS), true);
                filter.put("digits", random.nextInt(4));
                yield filter;
            }
            default -> {
                Map<String, Object> filter = new LinkedHashMap<>();
                filter.put("id", "bitround");
                filter.put("keepbits", 1 + random.nextInt(20));
                yield filter;
            }
        };
    }

    private Map<String, Object> filter(String id, String type, String stored, boolean all) {
        Map<String, Object> filter = new LinkedHashMap<>();
        filter.put("id", id);
        filter.put("dtype", "<" + type);
        if (all || random.nextBoolean()) {
            filter.put("astype", "<" + stored);
        }
        return filter;
    }

    private String sameKind(String type) {
        return one(
                switch (type.charAt(0)) {
                    case 'i' -> SIGNED;
                    case 'u' -> UNSIGNED;
                    default -> FLOATS;
                });
    }

    private String castable(String type) {
        boolean wide = type.equals("i4") || type.equals("i8");
        return switch (type.charAt(0)) {
            case 'i' -> one(wide && random.nextBoolean() ? FLOATS : SIGNED);
            case 'u' -> one(UNSIGNED);
            default -> one(one(List.of(SIGNED, UNSIGNED, FLOATS)));
        };
    }

    /** Returns a configuration whose division of stored multiples of 12 has no remainder. */
    private Map<String, Object> scaleOffset() {
        Map<String, Object> configuration = new LinkedHashMap<>();
        if (random.nextBoolean()) {
            configuration.put("scale", 1 + random.nextInt(4));
        }
        if (random.nextBoolean()) {
            configuration.put("offset", random.nextInt(20));
        }
        return RandomCodecs.codec("scale_offset", configuration);
    }
}
