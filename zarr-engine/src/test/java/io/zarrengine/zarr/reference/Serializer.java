package io.zarrengine.zarr.reference;

import io.zarrengine.zarr.json.Json;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Array-to-bytes codec: makes a chunk of random content, and decodes it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
interface Serializer {
    /** Returns a random chunk. */
    byte[] random(SplittableRandom random, RandomElements elements);

    /** Returns the elements of a chunk in C order. */
    byte[][] decode(byte[] chunk);

    /** Elements one after the other. */
    record Plain(ReferenceType type, int count, boolean big) implements Serializer {
        @Override
        public byte[] random(SplittableRandom random, RandomElements elements) {
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            for (byte[] element : elements.some(type, count)) {
                byte[] stored = SmallNumbers.stored(type, element, random);
                chunk.writeBytes(big ? type.reversed(stored) : stored);
            }
            return chunk.toByteArray();
        }

        @Override
        public byte[][] decode(byte[] chunk) {
            byte[][] elements = new byte[count][];
            for (int i = 0; i < count; i++) {
                byte[] element = Arrays.copyOfRange(chunk, i * type.size(), (i + 1) * type.size());
                elements[i] = SmallNumbers.read(type, big ? type.reversed(element) : element);
            }
            return elements;
        }
    }

    /** The {@code packbits} codec of version 3, bit by bit. */
    record PackedBits(ReferenceType type, int count, int first, int last, String padding)
            implements Serializer {
        static PackedBits of(ReferenceType type, int count, Map<?, ?> configuration) {
            int bits = type.kind() == ReferenceType.Kind.BOOL ? 1 : type.bits();
            Object first = configuration.get("first_bit");
            Object last = configuration.get("last_bit");
            Object padding = configuration.get("padding_encoding");
            return new PackedBits(
                    type,
                    count,
                    first == null ? 0 : ReferenceType.integer(first),
                    last == null ? bits - 1 : ReferenceType.integer(last),
                    padding == null ? "none" : (String) padding);
        }

        private int parts() {
            return type.kind() == ReferenceType.Kind.COMPLEX ? 2 : 1;
        }

        private int bits() {
            return count * parts() * (last - first + 1);
        }

        @Override
        public byte[] random(SplittableRandom random, RandomElements elements) {
            int bytes = (bits() + 7) / 8;
            byte[] packed = new byte[bytes];
            random.nextBytes(packed);
            int unused = 8 * bytes - bits();
            if (bytes > 0) {
                packed[bytes - 1] &= (byte) (0xff >> unused);
            }
            return switch (padding) {
                case "first_byte" ->
                        ByteBuffer.allocate(bytes + 1).put((byte) unused).put(packed).array();
                case "last_byte" ->
                        ByteBuffer.allocate(bytes + 1).put(packed).put((byte) unused).array();
                default -> packed;
            };
        }

        @Override
        public byte[][] decode(byte[] chunk) {
            int at = padding.equals("first_byte") ? 8 : 0;
            byte[][] elements = new byte[count][];
            for (int i = 0; i < count; i++) {
                ByteBuffer element = ByteBuffer.allocate(type.size());
                for (int part = 0; part < parts(); part++) {
                    element.put(part(chunk, at));
                    at += last - first + 1;
                }
                elements[i] = element.array();
            }
            return elements;
        }

        private byte[] part(byte[] chunk, int from) {
            long bits = 0;
            int at = from;
            for (int bit = first; bit <= last; bit++, at++) {
                bits |= (long) (chunk[at / 8] >> (at % 8) & 1) << bit;
            }
            boolean negative = (bits >> last & 1) == 1;
            if (type.kind() == ReferenceType.Kind.SIGNED && negative) {
                bits |= -1L << last;
            }
            return Numbers.ofBits(bits, type.size() / parts());
        }
    }

    /** The {@code packbits} filter of numcodecs: unused bits first, highest bit first. */
    record PackedBooleans(int count) implements Serializer {
        @Override
        public byte[] random(SplittableRandom random, RandomElements elements) {
            int bytes = (count + 7) / 8;
            byte[] packed = new byte[1 + bytes];
            random.nextBytes(packed);
            packed[0] = (byte) (8 * bytes - count);
            if (bytes > 0) {
                packed[bytes] &= (byte) (0xff << packed[0]);
            }
            return packed;
        }

        @Override
        public byte[][] decode(byte[] chunk) {
            byte[][] elements = new byte[count][];
            for (int i = 0; i < count; i++) {
                elements[i] = new byte[] {(byte) (chunk[1 + i / 8] >> (7 - i % 8) & 1)};
            }
            return elements;
        }
    }

    /** The count of elements, then each after its length. */
    record LengthPrefixed(ReferenceType type, int count) implements Serializer {
        @Override
        public byte[] random(SplittableRandom random, RandomElements elements) {
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            chunk.writeBytes(Numbers.ofBits(count, 4));
            for (byte[] element : elements.some(type, count)) {
                chunk.writeBytes(Numbers.ofBits(element.length, 4));
                chunk.writeBytes(element);
            }
            return chunk.toByteArray();
        }

        @Override
        public byte[][] decode(byte[] chunk) {
            ByteBuffer buffer = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
            byte[][] elements = new byte[buffer.getInt()][];
            for (int i = 0; i < elements.length; i++) {
                elements[i] = new byte[buffer.getInt()];
                buffer.get(elements[i]);
            }
            return elements;
        }
    }

    /** A list of all elements, then a type and the shape. */
    record JsonList(ReferenceType type, int[] shape) implements Serializer {
        @Override
        public byte[] random(SplittableRandom random, RandomElements elements) {
            StringBuilder text = new StringBuilder("[");
            for (byte[] element : elements.some(type, Shapes.product(shape))) {
                text.append(new String(element, StandardCharsets.UTF_8)).append(", ");
            }
            return text.append("\"|O\", ")
                    .append(Arrays.toString(shape))
                    .append("]")
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[][] decode(byte[] chunk) {
            List<?> list = (List<?>) Json.parse("chunk", chunk);
            byte[][] elements = new byte[list.size() - 2][];
            for (int i = 0; i < elements.length; i++) {
                elements[i] = ReferenceJson.text(list.get(i)).getBytes(StandardCharsets.UTF_8);
            }
            return elements;
        }
    }
}
