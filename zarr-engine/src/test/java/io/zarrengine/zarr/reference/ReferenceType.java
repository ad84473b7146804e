package io.zarrengine.zarr.reference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Data type of the reference reader: the size of an element, and the runs of bytes in the chunk's
 * byte order. Elements are little-endian byte arrays everywhere.
 *
 * @param kind the meaning of the bits
 * @param bits the bits of a number, or of each part of a complex number
 * @param size the bytes of an element; 0 if each element has its own
 * @param units sizes of the runs of bytes that are reversed in a chunk of the other byte order
 * @param fields the fields of a struct
 * @param big whether a NumPy string is big-endian
 */
record ReferenceType(
        Kind kind,
        int bits,
        int size,
        List<Integer> units,
        Map<String, ReferenceType> fields,
        boolean big) {
    enum Kind {
        BOOL,
        SIGNED,
        UNSIGNED,
        FLOAT,
        BRAIN_FLOAT,
        TINY_FLOAT,
        COMPLEX,
        TIME,
        RAW,
        TEXT,
        ZERO_PADDED,
        STRUCT,
        STRING,
        BYTES,
        JSON,
        ARRAY
    }

    private static ReferenceType simple(Kind kind, int bits, Integer... units) {
        int size = List.of(units).stream().mapToInt(unit -> unit).sum();
        return new ReferenceType(kind, bits, size, List.of(units), Map.of(), false);
    }

    private static ReferenceType number(Kind kind, int bits) {
        return simple(kind, bits, Math.max(1, bits / 8));
    }

    static ReferenceType variable(Kind kind) {
        return simple(kind, 0);
    }

    boolean isVariable() {
        return size == 0;
    }

    boolean isInteger() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    /** Returns the type of the real and of the imaginary part. */
    ReferenceType part() {
        Kind of = bits < 16 ? Kind.TINY_FLOAT : Kind.FLOAT;
        return number(fields.containsKey("brain") ? Kind.BRAIN_FLOAT : of, bits);
    }

    /** Parses a type of version 3: a name, or an object with a name and a configuration. */
    static ReferenceType parse(Object json) {
        if (json instanceof String name) {
            return named(name);
        }
        Map<?, ?> object = (Map<?, ?>) json;
        Map<?, ?> configuration =
                object.get("configuration") instanceof Map<?, ?> map ? map : Map.of();
        String name = (String) object.get("name");
        return switch (name) {
            case "numpy.datetime64", "numpy.timedelta64" -> number(Kind.TIME, 64);
            case "fixed_length_utf32" -> {
                int characters = integer(configuration.get("length_bytes")) / 4;
                yield simple(
                        Kind.TEXT, 0, Collections.nCopies(characters, 4).toArray(Integer[]::new));
            }
            case "null_terminated_bytes" ->
                    bytes(Kind.ZERO_PADDED, integer(configuration.get("length_bytes")));
            case "raw_bytes" -> bytes(Kind.RAW, integer(configuration.get("length_bytes")));
            case "struct", "structured" -> struct((List<?>) configuration.get("fields"));
            default -> named(name);
        };
    }

    private static ReferenceType bytes(Kind kind, int size) {
        return simple(kind, 0, Collections.nCopies(size, 1).toArray(Integer[]::new));
    }

    static int integer(Object json) {
        return ((Number) json).intValue();
    }

    private static ReferenceType named(String name) {
        if (name.startsWith("complex")) {
            return complex(name);
        }
        if (name.matches("r[0-9]+")) {
            return bytes(Kind.RAW, Integer.parseInt(name.substring(1)) / 8);
        }
        String digits = name.replaceAll("^[a-z]+", "").replaceAll("_.*", "");
        int bits = digits.isEmpty() ? 0 : Integer.parseInt(digits);
        return switch (name.replaceAll("[0-9].*", "")) {
            case "bool" -> number(Kind.BOOL, 8);
            case "int" -> number(Kind.SIGNED, bits);
            case "uint" -> number(Kind.UNSIGNED, bits);
            case "float" -> number(bits < 16 ? Kind.TINY_FLOAT : Kind.FLOAT, bits);
            case "bfloat" -> number(Kind.BRAIN_FLOAT, bits);
            case "string" -> variable(Kind.STRING);
            case "bytes", "variable_length_bytes" -> variable(Kind.BYTES);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static ReferenceType complex(String name) {
        ReferenceType part =
                switch (name) {
                    case "complex64" -> named("float32");
                    case "complex128" -> named("float64");
                    default -> named(name.substring("complex_".length()));
                };
        Map<String, ReferenceType> mark =
                part.kind == Kind.BRAIN_FLOAT ? Map.of("brain", part) : Map.of();
        List<Integer> units = List.of(part.size, part.size);
        return new ReferenceType(Kind.COMPLEX, part.bits, 2 * part.size, units, mark, false);
    }

    private static ReferenceType struct(List<?> list) {
        Map<String, ReferenceType> fields = new java.util.LinkedHashMap<>();
        List<Integer> units = new ArrayList<>();
        for (Object entry : list) {
            String name;
            ReferenceType type;
            if (entry instanceof Map<?, ?> object) {
                name = (String) object.get("name");
                type = parse(object.get("data_type"));
            } else {
                name = (String) ((List<?>) entry).get(0);
                type = parse(((List<?>) entry).get(1));
            }
            fields.put(name, type);
            units.addAll(type.units);
        }
        int size = units.stream().mapToInt(unit -> unit).sum();
        return new ReferenceType(Kind.STRUCT, 0, size, units, fields, false);
    }

    /**
     * Parses a type of version 2: a NumPy string, or a list of fields, each with its byte order.
     */
    static ReferenceType parseV2(Object json) {
        if (json instanceof List<?> list) {
            int size = 0;
            for (Object entry : list) {
                List<?> field = (List<?>) entry;
                int count = 1;
                if (field.size() == 3) {
                    for (Object length : (List<?>) field.get(2)) {
                        count *= integer(length);
                    }
                }
                size += count * parseV2(field.get(1)).size;
            }
            ReferenceType raw = bytes(Kind.STRUCT, size);
            return new ReferenceType(Kind.STRUCT, 0, size, raw.units, Map.of(), false);
        }
        String text = (String) json;
        int length = Integer.parseInt("0" + text.substring(2).replaceAll("\\[.*", ""));
        ReferenceType type =
                switch (text.charAt(1)) {
                    case 'b' -> named("bool");
                    case 'i' -> named("int" + 8 * length);
                    case 'u' -> named("uint" + 8 * length);
                    case 'f' -> named("float" + 8 * length);
                    case 'c' -> named("complex" + 8 * length);
                    case 'M', 'm' -> number(Kind.TIME, 64);
                    case 'S' -> bytes(Kind.ZERO_PADDED, length);
                    case 'V' -> bytes(Kind.RAW, length);
                    case 'U' ->
                            parse(
                                    Map.of(
                                            "name",
                                            "fixed_length_utf32",
                                            "configuration",
                                            Map.of("length_bytes", 4 * length)));
                    default -> throw new IllegalArgumentException(text);
                };
        return new ReferenceType(
                type.kind, type.bits, type.size, type.units, type.fields, text.charAt(0) == '>');
    }

    /** Parses the type in a filter's configuration: a name of version 3, or a NumPy string. */
    static ReferenceType ofFilter(Object json) {
        String text = (String) json;
        return Character.isLetter(text.charAt(0)) ? named(text) : parseV2(text);
    }

    /** Returns an element in the other byte order. */
    byte[] reversed(byte[] element) {
        byte[] result = new byte[element.length];
        int at = 0;
        for (int unit : units) {
            for (int i = 0; i < unit; i++) {
                result[at + i] = element[at + unit - 1 - i];
            }
            at += unit;
        }
        return result;
    }
}
