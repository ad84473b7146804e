package io.zarrengine.zarr.reference;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Generator of random elements of any type.
 *
 * @param small whether numbers are multiples of 12 near zero, for which all arithmetic of the
 *     filters has one right answer
 */
record RandomElements(SplittableRandom random, boolean small) {
    private static final String CHARACTERS = "aZ 0\"\\éß水😀";

    byte[][] some(ReferenceType type, int count) {
        byte[][] elements = new byte[count][];
        boolean repeated = random.nextInt(3) > 0; // compresses
        for (int i = 0; i < count; i++) {
            elements[i] = repeated && i > 0 && random.nextInt(8) > 0 ? elements[i - 1] : next(type);
        }
        return elements;
    }

    byte[] next(ReferenceType type) {
        if (small) {
            int times = type.kind() == ReferenceType.Kind.UNSIGNED ? 4 : 0;
            return Numbers.ofLong(type, 12L * (times + random.nextInt(-4, 5)));
        }
        return switch (type.kind()) {
            case BOOL -> new byte[] {(byte) random.nextInt(2)};
            case SIGNED -> {
                int unused = 64 - type.bits();
                yield Numbers.ofBits(random.nextLong() << unused >> unused, type.size());
            }
            case UNSIGNED, TIME, FLOAT, BRAIN_FLOAT, TINY_FLOAT ->
                    Numbers.ofBits(random.nextLong() >>> (64 - type.bits()), type.size());
            case COMPLEX -> both(next(type.part()), next(type.part()));
            case RAW -> bytes(type.size());
            case ZERO_PADDED -> Arrays.copyOf(bytes(random.nextInt(type.size() + 1)), type.size());
            case TEXT -> {
                String text = text(type.size() / 4);
                yield Arrays.copyOf(text.getBytes(Charset.forName("UTF-32LE")), type.size());
            }
            case STRUCT -> struct(type);
            case STRING -> text(random.nextInt(12)).getBytes(StandardCharsets.UTF_8);
            case BYTES -> bytes(random.nextInt(12));
            case ARRAY -> bytes(type.bits() / 8 * random.nextInt(5));
            case JSON -> ReferenceJson.text(json()).getBytes(StandardCharsets.UTF_8);
        };
    }

    private static byte[] both(byte[] real, byte[] imaginary) {
        return new Bytes().add(real).add(imaginary).toArray();
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    String text(int lengthMax) {
        StringBuilder text = new StringBuilder();
        int[] characters = CHARACTERS.codePoints().toArray();
        for (int n = random.nextInt(lengthMax + 1); n > 0; n--) {
            text.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        return text.toString();
    }

    private byte[] struct(ReferenceType type) {
        if (type.fields().isEmpty()) {
            return bytes(type.size());
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        for (ReferenceType field : type.fields().values()) {
            element.writeBytes(next(field));
        }
        return element.toByteArray();
    }

    private Object json() {
        return switch (random.nextInt(5)) {
            case 0 -> null;
            case 1 -> random.nextInt(1000);
            case 2 -> random.nextBoolean();
            case 3 -> Map.of("a", random.nextInt(10));
            default -> text(5);
        };
    }
}
