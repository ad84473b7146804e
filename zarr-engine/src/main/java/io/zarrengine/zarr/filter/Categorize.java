package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.ByteOrderRun;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.FixedLengthType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumpyType;
import io.zarrengine.zarr.json.JsonFields;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Text of a fixed size, stored as the number of its label.
 *
 * @param name in metadata
 * @param stored the type of the numbers
 * @param labels each as one element, in native byte order; the first one has the number 1
 * @param elementBytes size of an element
 * @param elements number of elements
 */
record Categorize(
        String name,
        NumericType stored,
        List<MemorySegment> labels,
        int elementBytes,
        long elements)
        implements ArrayFilter {
    /** {@return the effect of the codec on an array} */
    static ArrayFilterRegistry.Step parse(
            String name, JsonFields configuration, DataType type, long elements) {
        if (!(type instanceof FixedLengthType text)
                || text.kind() != FixedLengthType.Kind.UTF32
                || !type.equals(wantedType(configuration))) {
            throw configuration.error(
                    "dtype",
                    "is \""
                            + configuration.any("dtype")
                            + "\", which is not the text that the array has ("
                            + type.typeName()
                            + ", "
                            + type.byteSize()
                            + " bytes)");
        }
        Categories categories = Categories.parse(configuration);
        List<MemorySegment> labels = new ArrayList<>();
        for (String label : categories.labels()) {
            byte[] element = text.element(label);
            if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
                ByteOrderRun.reverse(ByteOrderRun.of(type), element);
            }
            labels.add(MemorySegment.ofArray(element).asReadOnly());
        }
        NumericType stored = categories.stored();
        Categorize filter = new Categorize(name, stored, labels, type.byteSize(), elements);
        return new ArrayFilterRegistry.Step(
                filter,
                stored,
                elements,
                true,
                Optional.of(new OfFill(name, stored, labels, type.byteSize())));
    }

    private static DataType wantedType(JsonFields configuration) {
        try {
            return NumpyType.parse(configuration.string("dtype")).type().orElse(null);
        } catch (IllegalArgumentException e) {
            throw configuration.error("dtype", e.getMessage());
        }
    }

    @Override
    public long encodedBytes() {
        return elements * stored.byteSize();
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays) {
        decoded.fill((byte) 0);
        for (long i = 0; i < elements; i++) {
            long number = Numbers.toLong(stored, Numbers.bits(stored, encoded, i));
            if (number > 0 && number <= labels.size()) {
                MemorySegment label = labels.get((int) number - 1);
                MemorySegment.copy(label, 0, decoded, i * elementBytes, elementBytes);
            }
        }
    }

    /**
     * Computes the number of a fill value; 0 if it is not a label.
     *
     * @param name in metadata
     * @param stored the type of the number
     * @param labels each as one element
     * @param elementBytes size of an element
     */
    record OfFill(String name, NumericType stored, List<MemorySegment> labels, int elementBytes)
            implements ArrayFilter {
        @Override
        public long encodedBytes() {
            return elementBytes;
        }

        @Override
        public void decode(MemorySegment fill, MemorySegment number, BlockArrays arrays) {
            int index = 0;
            while (index < labels.size() && labels.get(index).mismatch(fill) >= 0) {
                index++;
            }
            Numbers.setBits(stored, number, 0, index < labels.size() ? index + 1 : 0);
        }
    }
}
