package io.zarrengine.zarr.datatype;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Byte strings as metadata writes them: base64, or a list of numbers from 0 to 255. */
final class ByteStrings {
    private ByteStrings() {}

    /**
     * {@return the bytes}
     *
     * @throws IllegalArgumentException if the value is neither
     */
    static byte[] ofJson(Object json) {
        if (json instanceof String text) {
            return ofBase64(text);
        }
        if (!(json instanceof List<?> numbers)) {
            throw new IllegalArgumentException("expected base64, or numbers from 0 to 255");
        }
        byte[] bytes = new byte[numbers.size()];
        for (int i = 0; i < bytes.length; i++) {
            if (!(numbers.get(i) instanceof Long number) || number < 0 || number > 255) {
                throw new IllegalArgumentException("expected numbers from 0 to 255");
            }
            bytes[i] = number.byteValue();
        }
        return bytes;
    }

    private static byte[] ofBase64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("expected base64: " + e.getMessage(), e);
        }
    }

    static List<Object> toJson(byte[] bytes) {
        List<Object> numbers = new ArrayList<>();
        for (byte value : bytes) {
            numbers.add((long) Byte.toUnsignedInt(value));
        }
        return numbers;
    }
}
