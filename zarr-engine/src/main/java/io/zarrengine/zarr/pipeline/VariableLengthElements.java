package io.zarrengine.zarr.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.filter.Categories;
import io.zarrengine.zarr.json.Json;
import io.zarrengine.zarr.json.JsonWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;

/** The elements of a decoded chunk of variable length, in C order of its encoded dimensions. */
public sealed interface VariableLengthElements {
    /**
     * {@return the bytes of an element}
     *
     * @param index of the element, from 0
     */
    MemorySegment content(long index);

    /**
     * {@return the elements of a chunk}
     *
     * @param layout of the elements
     * @param chunk the decoded bytes; must stay valid as long as the result is used
     * @param elements required number of elements
     * @throws CodecException if the chunk is not valid
     */
    static VariableLengthElements of(
            VariableLengthLayout layout, MemorySegment chunk, long elements) throws CodecException {
        return switch (layout) {
            case VariableLengthLayout.LengthPrefixed prefixed ->
                    Prefixed.parse(chunk, elements, prefixed.text());
            case VariableLengthLayout.JsonText _ -> JsonValues.parse(chunk, elements);
            case VariableLengthLayout.Labelled labelled -> Labels.parse(labelled, chunk, elements);
        };
    }

    /**
     * {@return the approximate heap memory of a chunk's elements, in bytes}
     *
     * @param layout of the elements
     * @param chunkBytes the size of the decoded chunk
     * @param elements required number of elements
     */
    static long heapBytes(VariableLengthLayout layout, long chunkBytes, long elements) {
        return switch (layout) {
            case VariableLengthLayout.LengthPrefixed _ -> // reads no more elements
                    (Math.min(elements, chunkBytes / Integer.BYTES) + 1) * Long.BYTES;
            case VariableLengthLayout.JsonText _ -> JsonValues.HEAP_EXPANSION * chunkBytes;
            case VariableLengthLayout.Labelled _ -> 0;
        };
    }

    /** Elements that each follow their length. */
    final class Prefixed implements VariableLengthElements {
        private static final String NAME = "vlen";
        private static final ValueLayout.OfInt LE_INT =
                JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

        private final MemorySegment chunk;
        private final long[] begin; // of each element, and the end of the last; in bytes

        private Prefixed(MemorySegment chunk, long[] begin) {
            this.chunk = chunk;
            this.begin = begin;
        }

        static Prefixed parse(MemorySegment chunk, long elements, boolean text)
                throws CodecException {
            long bytes = chunk.byteSize();
            if (bytes < LE_INT.byteSize()) {
                throw new CodecException(
                        NAME, "there are " + bytes + " bytes, too few for the number of elements");
            }
            long stored = Integer.toUnsignedLong(chunk.get(LE_INT, 0));
            if (stored != elements || (elements + 1) * LE_INT.byteSize() > bytes) {
                throw new CodecException(
                        NAME,
                        bytes
                                + " bytes that say they hold "
                                + stored
                                + " elements, expected "
                                + elements);
            }
            long[] begin = new long[Math.toIntExact(elements) + 1];
            long at = LE_INT.byteSize();
            for (int i = 0; i < elements; i++) {
                if (bytes - at < LE_INT.byteSize()) {
                    throw new CodecException(
                            NAME, "the length of element " + i + " lies beyond the end");
                }
                long length = Integer.toUnsignedLong(chunk.get(LE_INT, at));
                at += LE_INT.byteSize();
                if (length > bytes - at) {
                    throw new CodecException(
                            NAME, "element " + i + " has the length " + length + " beyond the end");
                }
                if (text) {
                    checkText(chunk, i, at, at + length);
                }
                begin[i] = at;
                at += length;
            }
            if (at != bytes) {
                throw new CodecException(NAME, (bytes - at) + " bytes behind the last element");
            }
            begin[begin.length - 1] = at + LE_INT.byteSize();
            return new Prefixed(chunk, begin);
        }

        private static void checkText(MemorySegment chunk, int element, long from, long to)
                throws CodecException {
            long valid = Utf8.validUntil(chunk, from, to);
            if (valid < to) {
                throw new CodecException(
                        NAME,
                        String.format(
                                Locale.ROOT,
                                "element %d is not UTF-8: byte 0x%02x at offset %d of its %d, byte"
                                        + " %d of the decoded chunk",
                                element,
                                chunk.get(JAVA_BYTE, valid),
                                valid - from,
                                to - from,
                                valid));
            }
        }

        @Override
        public MemorySegment content(long index) {
            int i = (int) index;
            return chunk.asSlice(begin[i], begin[i + 1] - LE_INT.byteSize() - begin[i]);
        }
    }

    /** JSON values, each as its text. */
    final class JsonValues implements VariableLengthElements {
        private static final String NAME = "json2";

        /**
         * Heap bytes for each byte of text: the text itself, and 54 bytes for 3 that are an empty
         * list. Strings of a word take 6 to 1.
         */
        private static final long HEAP_EXPANSION = 20;

        /** The type and the chunk's shape follow the elements. */
        private static final int MEMBERS_BEHIND = 2;

        private final List<?> values;

        private JsonValues(List<?> values) {
            this.values = values;
        }

        static JsonValues parse(MemorySegment chunk, long elements) throws CodecException {
            long valid = Utf8.validUntil(chunk, 0, chunk.byteSize());
            if (valid < chunk.byteSize()) {
                throw new CodecException(NAME, "the list is not UTF-8 from its byte " + valid);
            }
            try {
                Object document = Json.parse("chunk", chunk.toArray(JAVA_BYTE));
                if (document instanceof List<?> list && list.size() == elements + MEMBERS_BEHIND) {
                    return new JsonValues(list);
                }
            } catch (FormatException e) {
                throw new CodecException(NAME, e.getMessage(), e);
            }
            throw new CodecException(NAME, "no list of " + elements + " values, type and shape");
        }

        @Override
        public MemorySegment content(long index) {
            Object value = values.get((int) index);
            return MemorySegment.ofArray(JsonWriter.toJson(value, false));
        }
    }

    /** Labels, each stored as its number. */
    final class Labels implements VariableLengthElements {
        private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

        private final List<MemorySegment> labels;
        private final MemorySegment numbers;
        private final int numberBytes;
        private final boolean bigEndian;

        private Labels(VariableLengthLayout.Labelled layout, MemorySegment numbers) {
            this.labels = layout.labels();
            this.numbers = numbers;
            this.numberBytes = layout.numbers().stored().byteSize();
            this.bigEndian = layout.numbers().order() == ByteOrder.BIG_ENDIAN;
        }

        static Labels parse(
                VariableLengthLayout.Labelled layout, MemorySegment chunk, long elements)
                throws CodecException {
            long expected = elements * layout.numbers().stored().byteSize();
            if (chunk.byteSize() != expected) {
                throw new CodecException(
                        Categories.ID,
                        "decodes to " + chunk.byteSize() + " bytes, expected " + expected);
            }
            return new Labels(layout, chunk);
        }

        /** Reads a number as unsigned, so that a negative one is beyond all labels. */
        @Override
        public MemorySegment content(long index) {
            long number = 0;
            for (int i = 0; i < numberBytes; i++) {
                int place = bigEndian ? numberBytes - 1 - i : i;
                long at = index * numberBytes + place;
                number |= Byte.toUnsignedLong(numbers.get(JAVA_BYTE, at)) << (i * Byte.SIZE);
            }
            boolean labelled = number > 0 && number <= labels.size();
            return labelled ? labels.get((int) number - 1) : EMPTY;
        }
    }
}
