package io.zarrengine.zarr.datatype;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A data type as NumPy and Zarr v2 write it: {@code "<f4"}, {@code "|S6"}, {@code "<M8[ns]"}, a
 * list of fields, or a name of version 3 such as {@code "bfloat16"}, which TensorStore writes.
 *
 * @param type the type; empty for {@code "|O"}, because a filter decides its content
 * @param order the byte order of the stored elements
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#data-type-encoding">Zarr
 *     v2, data type encoding</a>
 */
public record NumpyType(Optional<DataType> type, ByteOrder order) {
    private static final Pattern PATTERN =
            Pattern.compile(
                    "([<>|=]?)([biufcSUVMmO])([0-9]{0,9})(?:\\[([0-9]{0,9})([a-zA-Zμ]+)\\])?");

    private static final int RANK_MAX = 32; // NumPy's limit for a field that is an array

    /**
     * {@return the type}
     *
     * @param json the value in metadata
     * @throws IllegalArgumentException if the type is invalid or unknown; the message follows "the
     *     data type"
     */
    public static NumpyType parse(Object json) {
        if (json instanceof List<?> fields) {
            return new NumpyType(Optional.of(struct(fields)), ByteOrder.LITTLE_ENDIAN);
        }
        if (json instanceof String text) {
            return simple(text);
        }
        throw new IllegalArgumentException("must be a string or a list of fields");
    }

    /**
     * {@return the numeric type with a NumPy name}
     *
     * @param text e.g. {@code "<i4"}
     * @throws IllegalArgumentException if there is no such numeric type
     */
    public static NumericType numeric(String text) {
        if (simple(text).type.orElse(null) instanceof NumericType type) {
            return type;
        }
        throw new IllegalArgumentException("is \"" + text + "\", which is no number");
    }

    private static NumpyType simple(String text) {
        Optional<NumericType> named = NumericType.named(text);
        if (named.isPresent()) { // TensorStore uses these names for types that NumPy lacks.
            return new NumpyType(Optional.of(named.get()), ByteOrder.LITTLE_ENDIAN);
        }
        Matcher matcher = PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("is \"" + text + "\", which is no NumPy type");
        }
        ByteOrder order =
                matcher.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        char kind = matcher.group(2).charAt(0);
        if (kind == 'O') {
            return new NumpyType(Optional.empty(), order);
        }
        int size = matcher.group(3).isEmpty() ? 0 : Integer.parseInt(matcher.group(3));
        return new NumpyType(Optional.of(of(text, kind, size, matcher)), order);
    }

    private static DataType of(String text, char kind, int size, Matcher matcher) {
        return switch (kind) {
            case 'S' -> new FixedLengthType(FixedLengthType.Kind.NULL_TERMINATED, size);
            case 'V' -> new FixedLengthType(FixedLengthType.Kind.RAW, size);
            case 'U' ->
                    new FixedLengthType(
                            FixedLengthType.Kind.UTF32,
                            (int) Math.min((long) size * Integer.BYTES, Integer.MAX_VALUE));
            case 'M' -> temporal(TemporalType.Kind.DATETIME, size, matcher);
            case 'm' -> temporal(TemporalType.Kind.TIMEDELTA, size, matcher);
            default -> number(text, kind, size);
        };
    }

    private static NumericType number(String text, char kind, int size) {
        boolean extended = (kind == 'f' && size > 8) || (kind == 'c' && size > 16);
        if (extended) {
            throw new IllegalArgumentException(
                    "is \""
                            + text
                            + "\": floating point of 80 or 128 bits (NumPy's longdouble), whose"
                            + " bits depend on the machine that wrote them, is not supported");
        }
        String name =
                switch (kind) {
                    case 'b' -> size == 1 ? "bool" : "";
                    case 'i' -> "int" + 8L * size;
                    case 'u' -> "uint" + 8L * size;
                    case 'f' -> "float" + 8L * size;
                    default -> "complex" + 8L * size;
                };
        return NumericType.named(name)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "is \"" + text + "\", which is not known: its size"));
    }

    private static TemporalType temporal(TemporalType.Kind kind, int size, Matcher matcher) {
        if (size != Long.BYTES) {
            throw new IllegalArgumentException("has " + size + " bytes, expected 8");
        }
        String unit = matcher.group(5) == null ? "generic" : matcher.group(5);
        String scale = matcher.group(4);
        boolean one = scale == null || scale.isEmpty();
        return new TemporalType(kind, unit, one ? 1 : Math.max(1, Integer.parseInt(scale)));
    }

    private static StructType struct(List<?> list) {
        List<StructType.Field> fields = new ArrayList<>();
        for (Object entry : list) {
            if (!(entry instanceof List<?> parts)
                    || parts.size() < 2
                    || parts.size() > 3
                    || !(parts.getFirst() instanceof String name)) {
                throw new IllegalArgumentException(
                        "has a field that is no list of a name, a type and perhaps a shape");
            }
            NumpyType type = parse(parts.get(1));
            DataType known =
                    type.type.orElseThrow(
                            () -> new IllegalArgumentException("has a field of objects: " + name));
            List<Integer> shape = parts.size() == 3 ? shape(parts.get(2)) : List.of();
            fields.add(new StructType.Field(name, known, shape, Optional.of(type.order)));
        }
        return new StructType(fields);
    }

    /** Parses the shape of a field. To NumPy, the number 1 is no shape. */
    private static List<Integer> shape(Object json) {
        if (Long.valueOf(1).equals(json)) {
            return List.of();
        }
        List<?> lengths = json instanceof List<?> list ? list : Collections.singletonList(json);
        List<Integer> shape = new ArrayList<>();
        for (Object length : lengths) {
            if (!(length instanceof Long value)
                    || value < 1
                    || value > Integer.MAX_VALUE
                    || lengths.size() > RANK_MAX) {
                throw new IllegalArgumentException("has a field of the shape " + json);
            }
            shape.add(value.intValue());
        }
        return shape;
    }
}
