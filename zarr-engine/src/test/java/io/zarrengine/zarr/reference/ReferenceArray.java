package io.zarrengine.zarr.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Array that is read the slow way: every chunk whole, every element by itself. Shares only the JSON
 * parser with the engine.
 *
 * @param shape the shape of the array
 * @param grid the chunk grid
 * @param type the type of the elements
 * @param fill one element
 * @param codecs the codecs of a chunk, as version 3 has them
 * @param keyPrefix the prefix of every key
 * @param separator the separator between the numbers of a key
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReferenceArray(
        int[] shape,
        Grid grid,
        ReferenceType type,
        byte[] fill,
        List<?> codecs,
        String keyPrefix,
        String separator) {
    /** Reads a {@code zarr.json}, or a {@code .zarray}. */
    static ReferenceArray parse(Map<?, ?> document) {
        return document.containsKey("codecs") ? ofVersion3(document) : ofVersion2(document);
    }

    private static ReferenceArray ofVersion3(Map<?, ?> document) {
        ReferenceType type = ReferenceType.parse(document.get("data_type"));
        byte[] fill = FillValues.parse(type, document.get("fill_value"));
        Map<?, ?> encoding = (Map<?, ?>) document.get("chunk_key_encoding");
        boolean usual = encoding.get("name").equals("default");
        String separator = usual ? "/" : ".";
        if (encoding.get("configuration") instanceof Map<?, ?> map
                && map.containsKey("separator")) {
            separator = (String) map.get("separator");
        }
        int[] shape = shape(document, "shape");
        return new ReferenceArray(
                shape,
                Grid.parse((Map<?, ?>) document.get("chunk_grid"), shape),
                type,
                fill,
                (List<?>) document.get("codecs"),
                usual ? "c" : "",
                separator);
    }

    private static ReferenceArray ofVersion2(Map<?, ?> document) {
        List<?> filters = document.get("filters") instanceof List<?> list ? list : List.of();
        ReferenceType type = typeOfVersion2(document, filters);
        Object json = document.get("fill_value");
        byte[] fill;
        if (type.kind() == ReferenceType.Kind.JSON) {
            fill = ReferenceJson.text(json).getBytes(StandardCharsets.UTF_8);
        } else {
            fill = json == null ? FillValues.missing(type) : FillValues.parse(type, json);
        }
        int[] chunkShape = shape(document, "chunks");
        List<Object> codecs = codecsOfVersion2(document, filters, type, chunkShape.length);
        Object separator = document.get("dimension_separator");
        int[] shape = shape(document, "shape");
        return new ReferenceArray(
                shape,
                Grid.regular(shape, chunkShape),
                type,
                fill,
                codecs,
                "",
                separator == null ? "." : (String) separator);
    }

    private static ReferenceType typeOfVersion2(Map<?, ?> document, List<?> filters) {
        if (!document.get("dtype").equals("|O")) {
            return ReferenceType.parseV2(document.get("dtype"));
        }
        Map<?, ?> filter = (Map<?, ?>) filters.getFirst();
        return switch ((String) filter.get("id")) {
            case "vlen-utf8" -> ReferenceType.variable(ReferenceType.Kind.STRING);
            case "vlen-bytes" -> ReferenceType.variable(ReferenceType.Kind.BYTES);
            case "json2" -> ReferenceType.variable(ReferenceType.Kind.JSON);
            default -> {
                ReferenceType item = ReferenceType.parseV2(filter.get("dtype"));
                yield new ReferenceType(
                        ReferenceType.Kind.ARRAY, item.bits(), 0, List.of(), Map.of(), false);
            }
        };
    }

    /** Returns the codecs as version 3 would name them. */
    private static List<Object> codecsOfVersion2(
            Map<?, ?> document, List<?> filters, ReferenceType type, int rank) {
        List<Object> codecs = new ArrayList<>();
        if (document.get("order").equals("F")) {
            List<Integer> order = new ArrayList<>();
            for (int d = 0; d < rank; d++) {
                order.addFirst(d);
            }
            codecs.add(Map.of("name", "transpose", "configuration", Map.of("order", order)));
        }
        boolean stored = type.isVariable();
        boolean big = type.big();
        for (Object filter : filters) {
            Map<?, ?> configuration = (Map<?, ?>) filter;
            String id = (String) configuration.get("id");
            boolean ofArray = ArrayStep.parse(id, configuration, type, new int[] {1}) != null;
            if (!ofArray && !stored && !id.equals("packbits")) {
                codecs.add(bytes(big));
                stored = true;
            }
            codecs.add(Map.of("name", "numcodecs." + id, "configuration", configuration));
            for (String name : List.of("astype", "encode_dtype")) {
                if (configuration.get(name) instanceof String text) {
                    big = ReferenceType.parseV2(text).big();
                }
            }
        }
        if (!stored) {
            codecs.add(bytes(big));
        }
        if (document.get("compressor") instanceof Map<?, ?> compressor) {
            String id = (String) compressor.get("id");
            codecs.add(Map.of("name", "numcodecs." + id, "configuration", compressor));
        }
        return codecs;
    }

    private static Map<String, Object> bytes(boolean big) {
        return Map.of("name", "bytes", "configuration", Map.of("endian", big ? "big" : "little"));
    }

    private static int[] shape(Map<?, ?> json, String name) {
        return Shapes.of((List<?>) json.get(name));
    }

    int[] chunks() {
        return grid.chunks();
    }

    Chain chain(int[] chunk) {
        return Chain.parse(codecs, type, grid.chunkShape(chunk), fill);
    }

    Path chunkFile(Path folder, int[] chunk) {
        StringBuilder key = new StringBuilder(keyPrefix);
        for (int number : chunk) {
            key.append(key.isEmpty() ? "" : separator).append(number);
        }
        return folder.resolve(key.isEmpty() ? "0" : key.toString());
    }

    /** Returns all elements in C order. */
    byte[][] read(Path folder) {
        byte[][] elements = new byte[Shapes.product(shape)][];
        Arrays.fill(elements, fill);
        int[] chunks = chunks();
        for (int i = 0; i < Shapes.product(chunks); i++) {
            int[] chunk = Shapes.position(i, chunks);
            Path file = chunkFile(folder, chunk);
            if (Files.exists(file)) {
                place(chunk, chain(chunk).decode(contentOf(file)), elements);
            }
        }
        return elements;
    }

    private static byte[] contentOf(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void place(int[] chunk, byte[][] decoded, byte[][] elements) {
        int[] origin = new int[chunk.length];
        for (int d = 0; d < chunk.length; d++) {
            origin[d] = grid.origin(d, chunk[d]);
        }
        int[] chunkShape = grid.chunkShape(chunk);
        for (int i = 0; i < decoded.length; i++) {
            int[] inChunk = Shapes.position(i, chunkShape);
            int[] at = Shapes.inWhole(origin, inChunk, shape);
            if (at != null) {
                elements[Shapes.index(at, shape)] = decoded[i];
            }
        }
    }
}
