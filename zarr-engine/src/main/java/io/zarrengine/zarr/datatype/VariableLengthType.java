package io.zarrengine.zarr.datatype;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * Elements of variable size in bytes. {@code readVariableLength} reads them.
 *
 * <p>Inside the engine, an element is a {@link #DESCRIPTOR_BYTES descriptor} that points to its
 * bytes, so that planning and placing treat all types alike.
 *
 * @param kind the meaning of the bytes
 * @param item the type of the numbers in an element of {@link Kind#ARRAY}; null for other kinds
 */
public record VariableLengthType(Kind kind, NumericType item) implements DataType {
    /** Size of a descriptor in bytes. */
    public static final int DESCRIPTOR_BYTES = 16;

    /** Text. */
    public static final VariableLengthType STRING = new VariableLengthType(Kind.STRING, null);

    /** Byte strings. */
    public static final VariableLengthType BYTES = new VariableLengthType(Kind.BYTES, null);

    /** JSON values, each as its text. */
    public static final VariableLengthType JSON = new VariableLengthType(Kind.JSON, null);

    /** The meaning of the bytes. */
    public enum Kind {
        /**
         * UTF-8 text.
         *
         * @see <a
         *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/string">
         *     zarr-extensions, string</a>
         */
        STRING("string"),
        /**
         * Bytes.
         *
         * @see <a
         *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/bytes">
         *     zarr-extensions, bytes</a>
         */
        BYTES("bytes"),
        /** A JSON value as UTF-8 text; Zarr v2 only. */
        JSON("object"),
        /** Numbers, one after the other; Zarr v2 only. */
        ARRAY("array");

        private final String typeName;

        Kind(String typeName) {
            this.typeName = typeName;
        }
    }

    /**
     * {@return the type of arrays of numbers}
     *
     * @param item the type of the numbers
     */
    public static VariableLengthType arrayOf(NumericType item) {
        return new VariableLengthType(Kind.ARRAY, item);
    }

    @Override
    public String typeName() {
        return kind == Kind.ARRAY ? "array of " + item.typeName() : kind.typeName;
    }

    /** {@return {@link #DESCRIPTOR_BYTES}, because the content is elsewhere} */
    @Override
    public int byteSize() {
        return DESCRIPTOR_BYTES;
    }

    @Override
    public int byteOrderUnit() {
        return 1;
    }

    /** {@return the content of the fill value, of any size} */
    @Override
    public byte[] fillValue(Object json) {
        if (kind == Kind.BYTES) {
            return ByteStrings.ofJson(json);
        }
        if (kind == Kind.STRING && json instanceof String text) {
            return utf8(text);
        }
        throw new IllegalArgumentException("expected a string");
    }

    private static byte[] utf8(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "it holds half of a surrogate pair, which is no text", e);
        }
    }

    @Override
    public Object fillValueToJson(byte[] element) {
        return kind == Kind.BYTES
                ? Base64.getEncoder().encodeToString(element)
                : new String(element, StandardCharsets.UTF_8);
    }

    @Override
    public Map<String, Object> configuration() {
        return Map.of();
    }
}
