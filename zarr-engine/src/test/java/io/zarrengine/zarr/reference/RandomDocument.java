package io.zarrengine.zarr.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Generator of array metadata of both versions: rank 0 to 6, odd shapes, nested shards, all data
 * types, chains of codecs.
 */
record RandomDocument(SplittableRandom random, RandomTypes types, RandomCodecs codecs) {
    private static final int[] LENGTH_MAX = {1, 300, 30, 12, 7, 5, 4};
    private static final int[] CHUNK_MAX = {1, 96, 24, 12, 6, 4, 3};

    RandomDocument(SplittableRandom random) {
        this(random, new RandomTypes(random), new RandomCodecs(random));
    }

    Map<String, Object> next() {
        int rank = random.nextInt(LENGTH_MAX.length);
        List<Integer> shape = new ArrayList<>();
        List<Integer> chunk = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            shape.add(random.nextInt(30) == 0 ? 0 : 1 + random.nextInt(LENGTH_MAX[rank]));
            chunk.add(1 + random.nextInt(CHUNK_MAX[rank]));
        }
        lengthenRows(shape, chunk);
        return random.nextInt(3) == 0 ? version2(shape, chunk) : version3(shape, chunk);
    }

    /**
     * Lengthens the rows of some arrays, because vectors need long rows. Takes nothing from the
     * random source, so that seeds keep their arrays.
     */
    private static void lengthenRows(List<Integer> shape, List<Integer> chunk) {
        int last = shape.size() - 1;
        int draw = Math.floorMod(31 * shape.hashCode() + chunk.hashCode(), 24 * 128);
        if (draw % 24 == 0 && 0 < last && last < 4 && shape.get(last) > 0) {
            shape.set(last, shape.get(last) + 256);
            chunk.set(last, chunk.get(last) + draw / 24);
        }
    }

    private Map<String, Object> version3(List<Integer> shape, List<Integer> chunk) {
        boolean computed = random.nextInt(4) == 0;
        Object json = computed ? types.computed() : types.next();
        ReferenceType type = ReferenceType.parse(json);
        boolean rectilinear = random.nextInt(4) == 0;
        List<Integer> unit = chunk.stream().map(n -> rectilinear ? (n + 1) / 2 : n).toList();
        int[] chunkShape = Shapes.of(unit);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("zarr_format", 3);
        document.put("node_type", "array");
        document.put("shape", shape);
        document.put("data_type", json);
        document.put(
                "chunk_grid",
                rectilinear
                        ? rectilinear(shape, unit)
                        : RandomCodecs.codec("regular", Map.of("chunk_shape", chunk)));
        Map<String, Object> separator =
                random.nextBoolean() ? Map.of() : Map.of("separator", separator());
        document.put(
                "chunk_key_encoding",
                RandomCodecs.codec(random.nextBoolean() ? "default" : "v2", separator));
        document.put("fill_value", computed ? types.smallFill(type) : types.fill(type));
        int depth = Math.max(0, random.nextInt(5) - 1);
        depth = type.isVariable() ? Math.min(depth, 1) : Math.min(depth, 3);
        document.put("codecs", codecs.chain(type, chunkShape, depth, computed ? 2 : -1));
        document.put("attributes", Map.of("name", "random"));
        if (random.nextInt(4) == 0) {
            document.put(
                    "dimension_names",
                    new ArrayList<>(java.util.Collections.nCopies(shape.size(), null)));
        }
        return document;
    }

    /** Returns chunk lengths that are multiples of one, so that each divisor of it divides all. */
    private Map<String, Object> rectilinear(List<Integer> shape, List<Integer> chunk) {
        List<Object> dimensions = new ArrayList<>();
        for (int d = 0; d < shape.size(); d++) {
            if (random.nextInt(4) == 0) {
                dimensions.add(chunk.get(d) * (1 + random.nextInt(3)));
                continue;
            }
            List<Object> lengths = new ArrayList<>();
            int covered = 0;
            do {
                int length = chunk.get(d) * (1 + random.nextInt(3));
                int run = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1;
                lengths.add(
                        run > 1 || random.nextInt(6) == 0 ? List.of(length, run) : (Object) length);
                covered += run * length;
            } while (covered < shape.get(d) || random.nextInt(4) == 0);
            dimensions.add(lengths);
        }
        return RandomCodecs.codec(
                "rectilinear", Map.of("kind", "inline", "chunk_shapes", dimensions));
    }

    private String separator() {
        return random.nextBoolean() ? "/" : ".";
    }

    private Map<String, Object> version2(List<Integer> shape, List<Integer> chunk) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("zarr_format", 2);
        document.put("shape", shape);
        document.put("chunks", chunk);
        document.put("order", random.nextBoolean() ? "C" : "F");
        if (random.nextBoolean()) {
            document.put("dimension_separator", separator());
        }
        List<Object> filters = new ArrayList<>();
        ReferenceType type;
        if (random.nextInt(5) == 0) {
            document.put("dtype", "|O");
            filters.add(objectFilter());
            Object fill = null;
            if (((Map<?, ?>) filters.getFirst()).get("id").equals("vlen-utf8")) {
                fill = random.nextBoolean() ? null : "fill";
            }
            document.put("fill_value", fill);
            type = ReferenceType.variable(ReferenceType.Kind.BYTES);
        } else {
            boolean computed = random.nextInt(3) == 0;
            Object dtype = computed ? computedV2() : types.nextV2();
            document.put("dtype", dtype);
            type = ReferenceType.parseV2(dtype);
            if (computed) {
                filters.addAll(new RandomFilters(random).ofVersion2((String) dtype));
            } else if (dtype.equals("|b1") && random.nextBoolean()) {
                filters.add(Map.of("id", "packbits"));
            }
            document.put("fill_value", types.fillV2(type));
        }
        if (filters.isEmpty() && random.nextInt(4) == 0) {
            filters.add(Map.of("id", "shuffle", "elementsize", type.size()));
        }
        for (int n = Math.max(0, random.nextInt(4) - 1); n > 0; n--) {
            filters.add(codecs.ofVersion2(random.nextInt(3) == 0, type));
        }
        document.put("filters", filters.isEmpty() ? null : filters);
        document.put("compressor", random.nextInt(3) == 0 ? null : codecs.ofVersion2(true, type));
        return document;
    }

    private String computedV2() {
        String name = RandomFilters.name(ReferenceType.parse(types.computed()));
        return (name.endsWith("1") ? "|" : random.nextBoolean() ? "<" : ">") + name;
    }

    private Map<String, Object> objectFilter() {
        String id = codecs.one(List.of("vlen-utf8", "vlen-bytes", "vlen-array", "json2"));
        Map<String, Object> filter = new LinkedHashMap<>();
        filter.put("id", id);
        if (id.equals("vlen-array")) {
            filter.put("dtype", codecs.one(Arrays.asList("<i4", "<f8", "|u1", "<i2")));
        }
        return filter;
    }
}
