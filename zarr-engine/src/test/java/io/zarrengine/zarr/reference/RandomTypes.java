package io.zarrengine.zarr.reference;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Generator of data types and fill values, as metadata spells them. */
record RandomTypes(SplittableRandom random) {
    private static final List<String> TINY =
            List.of(
                    "float4_e2m1fn",
                    "float6_e2m3fn",
                    "float6_e3m2fn",
                    "float8_e3m4",
                    "float8_e4m3",
                    "float8_e4m3b11fnuz",
                    "float8_e4m3fn",
                    "float8_e4m3fnuz",
                    "float8_e5m2",
                    "float8_e5m2fnuz",
                    "float8_e8m0fnu",
                    "bfloat16",
                    "float16",
                    "float32",
                    "float64");
    private static final List<String> INTEGERS =
            List.of("int2", "int4", "int8", "int16", "int32", "int64");
    private static final List<String> UNITS =
            List.of("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as");

    /** Types that filters can compute with. */
    private static final List<String> COMPUTED =
            List.of("int32", "int64", "float32", "float64", "uint32", "uint8", "int16");

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    String computed() {
        return one(COMPUTED);
    }

    /** Returns a type of version 3. */
    Object next() {
        return switch (random.nextInt(14)) {
            case 0 -> "string";
            case 1 -> one(List.of("bytes", "variable_length_bytes"));
            case 2 -> struct(0);
            default -> fixed();
        };
    }

    private Object fixed() {
        return switch (random.nextInt(11)) {
            case 0 -> "bool";
            case 1, 2 -> one(INTEGERS);
            case 3, 4 -> "u" + one(INTEGERS);
            case 5, 6 -> one(TINY);
            case 7 -> complex();
            case 8 ->
                    named(
                            one(List.of("numpy.datetime64", "numpy.timedelta64")),
                            Map.of("unit", one(UNITS), "scale_factor", 1 + random.nextInt(20)));
            case 9 -> "r" + 8 * (1 + random.nextInt(9));
            default ->
                    random.nextBoolean()
                            ? lengthy("fixed_length_utf32", 4 * (1 + random.nextInt(4)))
                            : lengthy("null_terminated_bytes", 1 + random.nextInt(7));
        };
    }

    private String complex() {
        return random.nextBoolean()
                ? one(List.of("complex64", "complex128"))
                : "complex_" + one(TINY);
    }

    private static Object lengthy(String name, int bytes) {
        return named(name, Map.of("length_bytes", bytes));
    }

    private static Map<String, Object> named(String name, Map<String, Object> configuration) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", name);
        object.put("configuration", configuration);
        return object;
    }

    private Object struct(int depth) {
        List<Object> fields = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            Object type = depth == 0 && random.nextInt(6) == 0 ? struct(1) : fixed();
            fields.add(Map.of("name", "field" + i, "data_type", type));
        }
        return named("struct", Map.of("fields", fields));
    }

    /** Returns a type of version 2, but no object. */
    Object nextV2() {
        return switch (random.nextInt(12)) {
            case 0 -> "|b1";
            case 1 -> "|S" + (1 + random.nextInt(7));
            case 2 -> "|V" + (1 + random.nextInt(7));
            case 3 -> order() + "U" + (1 + random.nextInt(4));
            case 4 -> order() + one(List.of("M", "m")) + "8[" + one(UNITS) + "]";
            case 5 -> structV2(0);
            default -> numberV2();
        };
    }

    private String order() {
        return one(List.of("<", ">"));
    }

    String numberV2() {
        return one(
                List.of(
                        "|i1",
                        "|u1",
                        order() + "i2",
                        order() + "u2",
                        order() + "i4",
                        order() + "u4",
                        order() + "i8",
                        order() + "u8",
                        order() + "f2",
                        order() + "f4",
                        order() + "f8",
                        order() + "c8",
                        order() + "c16"));
    }

    private Object structV2(int depth) {
        List<Object> fields = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            List<Object> field = new ArrayList<>();
            field.add("field" + i);
            field.add(depth == 0 && random.nextInt(6) == 0 ? structV2(1) : numberV2());
            if (random.nextInt(4) == 0) {
                field.add(List.of(1 + random.nextInt(2), 1 + random.nextInt(3)));
            }
            fields.add(field);
        }
        return fields;
    }

    /** Returns a fill value of version 3. */
    Object fill(ReferenceType type) {
        RandomElements elements = new RandomElements(random, false);
        return switch (type.kind()) {
            case BOOL -> random.nextBoolean();
            case SIGNED, UNSIGNED -> integer(type);
            case TIME -> random.nextLong();
            case FLOAT, BRAIN_FLOAT -> real(type);
            case TINY_FLOAT -> hex(type);
            case COMPLEX -> List.of(fill(type.part()), fill(type.part()));
            case RAW -> numbers(elements.next(type));
            case TEXT -> elements.text(type.size() / 4);
            case STRING -> elements.text(5);
            case ZERO_PADDED, BYTES -> base64(elements.next(type));
            case STRUCT -> structFill(type, elements);
            case JSON, ARRAY -> null;
        };
    }

    /** Returns a fill value that filters can compute with, and that every type has. */
    Object smallFill(ReferenceType type) {
        return Math.abs(Numbers.toLong(type, new RandomElements(random, true).next(type)));
    }

    private Object integer(ReferenceType type) {
        long bits = random.nextLong() >>> (64 - type.bits());
        int unused = 64 - type.bits();
        return type.kind() == ReferenceType.Kind.SIGNED
                ? (Object) (bits << unused >> unused)
                : new java.math.BigInteger(Long.toUnsignedString(bits));
    }

    private Object real(ReferenceType type) {
        return switch (random.nextInt(6)) {
            case 0 -> "NaN";
            case 1 -> "Infinity";
            case 2 -> "-Infinity";
            case 3 -> hex(type);
            case 4 -> random.nextInt(-9, 10);
            default -> random.nextInt(-99, 100) / 4.0;
        };
    }

    private String hex(ReferenceType type) {
        long bits = random.nextLong() >>> (64 - type.bits());
        return "0x" + String.format("%0" + Math.max(2, type.bits() / 4) + "x", bits);
    }

    private static List<Object> numbers(byte[] bytes) {
        List<Object> numbers = new ArrayList<>();
        for (byte value : bytes) {
            numbers.add(value & 0xff);
        }
        return numbers;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private Object structFill(ReferenceType type, RandomElements elements) {
        if (random.nextBoolean()) {
            return base64(elements.next(type));
        }
        Map<String, Object> fill = new LinkedHashMap<>();
        type.fields().forEach((name, field) -> fill.put(name, fill(field)));
        return fill;
    }

    /** Returns a fill value of version 2. */
    Object fillV2(ReferenceType type) {
        if (random.nextInt(4) == 0) {
            return null;
        }
        return switch (type.kind()) {
            case RAW, STRUCT -> base64(new RandomElements(random, false).next(type));
            case FLOAT ->
                    random.nextInt(3) == 0 ? "NaN" : (Object) (random.nextInt(-99, 100) / 4.0);
            case COMPLEX -> List.of(random.nextInt(-99, 100) / 4.0, random.nextInt(-99, 100) / 4.0);
            default -> fill(type);
        };
    }
}
