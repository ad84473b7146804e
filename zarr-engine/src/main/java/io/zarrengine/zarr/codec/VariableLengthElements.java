package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.Json;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/** The elements of a decoded chunk of variable length, in C order of its encoded dimensions. */
public sealed interface VariableLengthElements {
    /**
     * {@return the bytes of an element}
     *
     * @param index which, from 0
     */
    MemorySegment content(long index);

    /**
     * {@return the elements of a chunk}
     *
     * @param layout how they follow one another
     * @param chunk the decoded bytes; used as long as the result is
     * @param elements how many there must be
     * @throws CodecException if the chunk is not valid
     */
    static VariableLengthElements of(
            VariableLengthLayout layout, MemorySegment chunk, long elements) throws CodecException {
        return switch (layout) {
            case LENGTH_PREFIXED -> Prefixed.parse(chunk, elements);
            case JSON -> JsonValues.parse(chunk, elements);
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

        static Prefixed parse(MemorySegment chunk, long elements) throws CodecException {
            long bytes = chunk.byteSize();
            long stored = bytes < LE_INT.byteSize() ? -1 : chunk.get(LE_INT, 0);
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
                long length = at + LE_INT.byteSize() > bytes ? -1 : chunk.get(LE_INT, at);
                at += LE_INT.byteSize();
                if (length < 0 || length > bytes - at) {
                    throw new CodecException(
                            NAME, "element " + i + " has the length " + length + " beyond the end");
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

        @Override
        public MemorySegment content(long index) {
            int i = (int) index;
            return chunk.asSlice(begin[i], begin[i + 1] - LE_INT.byteSize() - begin[i]);
        }
    }

    /** JSON values, each as its text. */
    final class JsonValues implements VariableLengthElements {
        private static final String NAME = "json2";

        /** Behind the elements stand their type and the chunk's shape. */
        private static final int MEMBERS_BEHIND = 2;

        private final List<?> values;

        private JsonValues(List<?> values) {
            this.values = values;
        }

        static JsonValues parse(MemorySegment chunk, long elements) throws CodecException {
            try {
                Object document = Json.parse("chunk", chunk.toArray(ValueLayout.JAVA_BYTE));
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
            return MemorySegment.ofArray(MetadataWriter.toJson(value, false));
        }
    }
}
