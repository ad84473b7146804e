package io.zarrengine.zarr.datatype;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * Text or bytes of a fixed size, shorter ones padded with zeros.
 *
 * @param kind what the bytes are
 * @param byteSize size of an element in bytes, {@code > 0}
 */
public record FixedLengthType(Kind kind, int byteSize) implements DataType {
    /** An element may not be larger: no array has any. */
    private static final int BYTES_MAX = 1 << 28;

    private static final Charset UTF_32LE = Charset.forName("UTF-32LE");

    /** What the bytes are. */
    public enum Kind {
        /**
         * Unicode text of 4 bytes a character.
         *
         * @see <a
         *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/fixed_length_utf32">
         *     zarr-extensions, fixed_length_utf32</a>
         */
        UTF32("fixed_length_utf32", Integer.BYTES),
        /** Bytes that end before their last zeros: NumPy's {@code S}. */
        NULL_TERMINATED("null_terminated_bytes", 1),
        /**
         * Bytes: {@code r8}, {@code r16} and so on, NumPy's {@code V}.
         *
         * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html">Zarr
         *     v3, raw bits</a>
         */
        RAW("r", 1);

        private final String typeName;
        private final int unit;

        Kind(String typeName, int unit) {
            this.typeName = typeName;
            this.unit = unit;
        }
    }

    /** Checks the size. */
    public FixedLengthType {
        if (byteSize < 1 || byteSize > BYTES_MAX || byteSize % kind.unit != 0) {
            throw new IllegalArgumentException(
                    "has elements of "
                            + byteSize
                            + " bytes, expected a multiple of "
                            + kind.unit
                            + " from "
                            + kind.unit
                            + " to "
                            + BYTES_MAX);
        }
    }

    @Override
    public String typeName() {
        return kind == Kind.RAW ? kind.typeName + 8L * byteSize : kind.typeName;
    }

    @Override
    public int byteOrderUnit() {
        return kind.unit;
    }

    @Override
    public byte[] fillValue(Object json) {
        byte[] content =
                kind == Kind.UTF32 && json instanceof String text
                        ? text.getBytes(UTF_32LE)
                        : ByteStrings.ofJson(json);
        if (content.length > byteSize || (kind == Kind.RAW && content.length != byteSize)) {
            throw new IllegalArgumentException(
                    "it has " + content.length + " bytes, an element " + byteSize);
        }
        return Arrays.copyOf(content, byteSize);
    }

    @Override
    public Object fillValueToJson(byte[] element) {
        return switch (kind) {
            case UTF32 -> new String(element, 0, lengthOf(element), UTF_32LE);
            case NULL_TERMINATED ->
                    Base64.getEncoder().encodeToString(Arrays.copyOf(element, lengthOf(element)));
            case RAW -> ByteStrings.toJson(element);
        };
    }

    /** The bytes before the padding. */
    private int lengthOf(byte[] element) {
        int length = element.length;
        while (length > 0 && element[length - 1] == 0) {
            length--;
        }
        return Math.ceilDiv(length, kind.unit) * kind.unit;
    }

    @Override
    public Map<String, Object> configuration() {
        return kind == Kind.RAW ? Map.of() : Map.of("length_bytes", (long) byteSize);
    }

    /**
     * {@return the text of an element that is text; each byte one character, if it is not UTF-32}
     *
     * @param element one element, little-endian
     */
    public String text(byte[] element) {
        Charset charset = kind == Kind.UTF32 ? UTF_32LE : StandardCharsets.ISO_8859_1;
        return new String(element, 0, lengthOf(element), charset);
    }
}
