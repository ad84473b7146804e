package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.FixedLengthType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.TemporalType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Parses fill values of version 2. The specification leaves many forms open. The parser accepts the
 * forms that writers use, as long as each has one meaning.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html#fill-value-encoding">Zarr
 *     v2, fill value encoding</a>
 */
final class FillValueV2 {
    private static final Pattern HEXADECIMAL = Pattern.compile("[+-]?0[xX]");

    private FillValueV2() {}

    /**
     * {@return one element, little-endian; for a type of variable length, its content}
     *
     * @param type of the array's elements
     * @param json the value in the document; null if it is missing or null
     * @throws IllegalArgumentException if the value does not belong to the type
     */
    static byte[] parse(DataType type, Object json) {
        if (type instanceof VariableLengthType variable
                && variable.kind() == VariableLengthType.Kind.JSON) {
            return JsonWriter.toJson(json, false);
        }
        if (json == null && type instanceof TemporalType) { // same as in zarr-python 3
            return type.fillValue(TemporalType.NOT_A_TIME);
        }
        boolean isEmptyOfRaw = // same as in zarr-python
                "".equals(json)
                        && type instanceof FixedLengthType fixed
                        && fixed.kind() == FixedLengthType.Kind.RAW;
        boolean zero = json == null || json.equals(0L) || isEmptyOfRaw;
        if (zero) {
            return new byte[type instanceof VariableLengthType ? 0 : type.byteSize()];
        }
        if (isAlone(type, json)) { // netcdf-c 4.8.0 writes [-32767].
            return parse(type, ((List<?>) json).getFirst());
        }
        return switch (type) {
            case NumericType number
                    when number.kind() == NumericType.Kind.COMPLEX && json instanceof String text ->
                    ofBytes(number, text);
            case NumericType number -> {
                if (json instanceof String text && HEXADECIMAL.matcher(text.strip()).lookingAt()) {
                    throw new IllegalArgumentException(
                            "version 2 does not say whether hexadecimal digits are a number or bits");
                }
                yield number.fillValue(ofNumber(number, json));
            }
            case FixedLengthType bytes when json instanceof String text -> ofText(bytes, text);
            default -> type.fillValue(json);
        };
    }

    /** Tells whether a list holds a single value, rather than the bytes or parts of one. */
    private static boolean isAlone(DataType type, Object json) {
        if (!(json instanceof List<?> list) || list.size() != 1) {
            return false;
        }
        return switch (type) {
            case NumericType _, TemporalType _ -> true;
            case FixedLengthType _, VariableLengthType _ -> list.getFirst() instanceof String;
            default -> false;
        };
    }

    /** Decodes a complex number from base64. TensorStore reads this form. */
    private static byte[] ofBytes(NumericType type, String text) {
        return new FixedLengthType(FixedLengthType.Kind.RAW, type.byteSize()).fillValue(text);
    }

    /** Converts 0 and 1 to a boolean, and a number to a complex one. */
    private static Object ofNumber(NumericType type, Object json) {
        if (type == NumericType.BOOL && json instanceof Number number) {
            double value = number.doubleValue();
            return value == 0 ? false : value == 1 ? true : json;
        }
        if (type.kind() != NumericType.Kind.COMPLEX) {
            return json;
        }
        return json instanceof Number ? List.of(json, 0L) : json;
    }

    /**
     * Decodes bytes from base64. NCZarr and others write text unencoded. Text that is not base64
     * becomes UTF-8 bytes, if the type is null-terminated bytes.
     */
    private static byte[] ofText(FixedLengthType type, String text) {
        try {
            return type.fillValue(text);
        } catch (IllegalArgumentException e) {
            if (type.kind() == FixedLengthType.Kind.NULL_TERMINATED && !isBase64(text)) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                return type.fillValue(Base64.getEncoder().encodeToString(bytes));
            }
            throw e;
        }
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
