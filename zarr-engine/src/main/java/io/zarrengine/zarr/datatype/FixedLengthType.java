package io.zarrengine.zarr.datatype;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;

/**
 * Text or bytes of a fixed size; shorter values are padded with zeros.
 *
 * @param kind the meaning of the bytes
 * @param byteSize size of an element in bytes, {@code > 0}
 */
public record FixedLengthType(Kind kind, int byteSize) implements DataType {
    /** Largest element in bytes. No known array has a larger one. */
    private static final int BYTES_MAX = 1 << 28;

    private static final VarHandle LE_INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** The meaning of the bytes. */
    public enum Kind {
        /**
         * Unicode text of 4 bytes a character.
         *
         * @see <a
         *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/fixed_length_utf32">
         *     zarr-extensions, fixed_length_utf32</a>
         */
        UTF32("fixed_length_utf32", Integer.BYTES),
        /** Bytes without their trailing zeros: NumPy's {@code S}. */
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
                        ? utf32(text)
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
            case UTF32 -> isText(element) ? text(element) : ByteStrings.toJson(element);
            case NULL_TERMINATED ->
                    Base64.getEncoder().encodeToString(Arrays.copyOf(element, lengthOf(element)));
            case RAW -> ByteStrings.toJson(element);
        };
    }

    /** {@return the number of bytes before the padding} */
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
     * {@return the text of an element; if it is not UTF-32, each byte is one character}
     *
     * <p>Half of a surrogate pair is kept. NumPy stores it like any other character.
     *
     * @param element one element, little-endian
     * @throws IllegalArgumentException if it holds a number above U+10FFFF, which is no character
     */
    public String text(byte[] element) {
        if (kind != Kind.UTF32) {
            return new String(element, 0, lengthOf(element), StandardCharsets.ISO_8859_1);
        }
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < lengthOf(element); at += Integer.BYTES) {
            int character = character(element, at);
            if (!Character.isValidCodePoint(character)) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "character %d is U+%X, the last one there is is U+10FFFF",
                                at / Integer.BYTES,
                                character));
            }
            text.appendCodePoint(character);
        }
        return text.toString();
    }

    /**
     * {@return text as one element in UTF-32, little-endian; text that does not fit is cut off}
     *
     * @param text any text
     */
    public byte[] element(String text) {
        return Arrays.copyOf(utf32(text), byteSize);
    }

    private boolean isText(byte[] element) {
        boolean valid = true;
        for (int at = 0; at < lengthOf(element); at += Integer.BYTES) {
            valid &= Character.isValidCodePoint(character(element, at));
        }
        return valid;
    }

    private static int character(byte[] element, int at) {
        return (int) LE_INT.get(element, at);
    }

    /** Encodes halves of surrogate pairs too. Java's own encoder replaces them. */
    private static byte[] utf32(String text) {
        int[] characters = text.codePoints().toArray();
        byte[] bytes = new byte[characters.length * Integer.BYTES];
        for (int i = 0; i < characters.length; i++) {
            LE_INT.set(bytes, i * Integer.BYTES, characters[i]);
        }
        return bytes;
    }
}
