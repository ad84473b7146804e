package io.zarrengine.zarr.reference;

import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Fill values as elements. */
final class FillValues {
    private FillValues() {}

    /**
     * Returns the fill value of version 2 if the document has none: NaT for times, zero for all
     * else.
     */
    static byte[] missing(ReferenceType type) {
        return type.kind() == ReferenceType.Kind.TIME
                ? Numbers.ofBits(Long.MIN_VALUE, type.size())
                : new byte[type.size()];
    }

    static byte[] parse(ReferenceType type, Object json) {
        return switch (type.kind()) {
            case BOOL -> new byte[] {(byte) (json.equals(true) ? 1 : 0)};
            case SIGNED, UNSIGNED, TIME ->
                    Numbers.ofBits(
                            new BigDecimal(json.toString()).toBigInteger().longValue(),
                            type.size());
            case FLOAT, BRAIN_FLOAT, TINY_FLOAT -> real(type, json);
            case COMPLEX -> complex(type, json);
            case RAW, ZERO_PADDED, BYTES -> padded(bytes(json), type);
            case TEXT -> padded(((String) json).getBytes(Charset.forName("UTF-32LE")), type);
            case STRING -> ((String) json).getBytes(StandardCharsets.UTF_8);
            case STRUCT -> struct(type, json);
            case JSON, ARRAY -> throw new IllegalArgumentException(String.valueOf(json));
        };
    }

    private static byte[] padded(byte[] content, ReferenceType type) {
        return type.isVariable() ? content : Arrays.copyOf(content, type.size());
    }

    private static byte[] bytes(Object json) {
        if (json instanceof String text) {
            return Base64.getDecoder().decode(text);
        }
        List<?> numbers = (List<?>) json;
        byte[] bytes = new byte[numbers.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = ((Number) numbers.get(i)).byteValue();
        }
        return bytes;
    }

    private static byte[] real(ReferenceType type, Object json) {
        if (json instanceof String text && text.startsWith("0x")) {
            return Numbers.ofBits(Long.parseUnsignedLong(text.substring(2), 16), type.size());
        }
        double value = Double.parseDouble(json.toString());
        if (type.kind() == ReferenceType.Kind.BRAIN_FLOAT) {
            return Numbers.ofBits(Float.floatToRawIntBits((float) value) >>> 16, 2);
        }
        return Numbers.ofDouble(type, value);
    }

    private static byte[] complex(ReferenceType type, Object json) {
        List<?> parts = (List<?>) json;
        byte[] real = real(type.part(), parts.get(0));
        byte[] imaginary = real(type.part(), parts.get(1));
        byte[] both = Arrays.copyOf(real, type.size());
        System.arraycopy(imaginary, 0, both, real.length, imaginary.length);
        return both;
    }

    private static byte[] struct(ReferenceType type, Object json) {
        if (json instanceof String text) {
            return Base64.getDecoder().decode(text);
        }
        byte[] element = new byte[type.size()];
        int at = 0;
        for (Map.Entry<String, ReferenceType> field : type.fields().entrySet()) {
            byte[] part = parse(field.getValue(), ((Map<?, ?>) json).get(field.getKey()));
            System.arraycopy(part, 0, element, at, part.length);
            at += part.length;
        }
        return element;
    }
}
