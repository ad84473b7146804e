package io.zarrengine.zarr.datatype;

import java.nio.ByteOrder;
import java.util.stream.Collectors;

/**
 * NumPy's description of a data type, as a Python literal: {@code '<f4'}, or a list of fields. A
 * type that NumPy lacks becomes unsigned integers of its width.
 */
public final class NumpyDescription {
    private NumpyDescription() {}

    /**
     * {@return the description of the elements in memory, e.g. for the header of a {@code .npy}
     * file}
     *
     * @param type a type of fixed size
     */
    public static String of(DataType type) {
        return of(type, ByteOrder.LITTLE_ENDIAN);
    }

    private static String of(DataType type, ByteOrder order) {
        if (type instanceof StructType struct) {
            return struct.fields().stream()
                    .map(field -> field(field, field.order().orElse(order)))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        String name =
                switch (type) {
                    case NumericType number -> number(number);
                    case TemporalType time -> time(time);
                    case FixedLengthType fixed -> fixed(fixed);
                    default -> "|V" + type.byteSize();
                };
        return "'" + (order == ByteOrder.BIG_ENDIAN ? name.replace('<', '>') : name) + "'";
    }

    private static String field(StructType.Field field, ByteOrder order) {
        String shape =
                switch (field.shape().size()) {
                    case 0 -> "";
                    case 1 -> ", (" + field.shape().getFirst() + ",)";
                    default ->
                            field.shape().stream()
                                    .map(String::valueOf)
                                    .collect(Collectors.joining(", ", ", (", ")"));
                };
        return "(" + quoted(field.name()) + ", " + of(field.type(), order) + shape + ")";
    }

    /** Returns a Python string literal of ASCII characters. */
    private static String quoted(String text) {
        StringBuilder literal = new StringBuilder("'");
        text.codePoints()
                .forEach(c -> {
                    if (c == '\'' || c == '\\') {
                        literal.append('\\').appendCodePoint(c);
                    } else if (c >= ' ' && c < 0x7f) {
                        literal.appendCodePoint(c);
                    } else {
                        literal.append("\\U%08x".formatted(c));
                    }
                });
        return literal.append('\'').toString();
    }

    private static String time(TemporalType type) {
        String kind = type.kind() == TemporalType.Kind.DATETIME ? "<M8" : "<m8";
        if (type.unit().equals("generic")) {
            return kind;
        }
        String unit = type.unit().equals("μs") ? "us" : type.unit();
        String scale = type.scaleFactor() == 1 ? "" : Integer.toString(type.scaleFactor());
        return kind + "[" + scale + unit + "]";
    }

    private static String fixed(FixedLengthType type) {
        return switch (type.kind()) {
            case UTF32 -> "<U" + type.byteSize() / Integer.BYTES;
            case NULL_TERMINATED -> "|S" + type.byteSize();
            case RAW -> "|V" + type.byteSize();
        };
    }

    private static String number(NumericType type) {
        return switch (type) {
            case BOOL -> "|b1";
            case INT2, INT4, INT8 -> "|i1";
            case INT16 -> "<i2";
            case INT32 -> "<i4";
            case INT64 -> "<i8";
            case UINT16, BFLOAT16 -> "<u2";
            case UINT32 -> "<u4";
            case UINT64 -> "<u8";
            case FLOAT16 -> "<f2";
            case FLOAT32 -> "<f4";
            case FLOAT64 -> "<f8";
            case COMPLEX64, COMPLEX_FLOAT32 -> "<c8";
            case COMPLEX128, COMPLEX_FLOAT64 -> "<c16";
            default -> type.byteSize() == 1 ? "|u1" : "<u" + type.byteSize();
        };
    }
}
