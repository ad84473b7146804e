package io.zarrengine.zarr;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.place.VariableLengthContent;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * Elements of variable length: strings, byte strings, and others. Their bytes follow one another in
 * C order, as in Apache Arrow's large strings: element {@code i} is the bytes from offset {@code i}
 * to offset {@code i + 1}.
 *
 * <p>Owner: the caller that received it; {@link #close} frees its memory. Threads: any.
 */
public final class VariableLengthTensor implements AutoCloseable {
    private final VariableLengthType dataType;
    private final long[] shape;
    private final NativeMemory offsets;
    private final NativeMemory content;

    private VariableLengthTensor(
            VariableLengthType dataType, long[] shape, NativeMemory offsets, NativeMemory content) {
        this.dataType = dataType;
        this.shape = shape;
        this.offsets = offsets;
        this.content = content;
    }

    /** Puts the elements of a finished request in order. */
    static VariableLengthTensor of(
            VariableLengthType dataType,
            long[] shape,
            MemorySegment descriptors,
            VariableLengthContent read) {
        long elements = descriptors.byteSize() / VariableLengthType.DESCRIPTOR_BYTES;
        NativeMemory offsets = HostTensor.allocate(dataType, shape, (elements + 1) * Long.BYTES);
        long bytes = 0;
        for (long i = 0; i < elements; i++) {
            bytes += read.content(descriptors, i * VariableLengthType.DESCRIPTOR_BYTES).byteSize();
            offsets.segment().setAtIndex(ValueLayout.JAVA_LONG, i + 1, bytes);
        }
        NativeMemory content;
        try {
            content = HostTensor.allocate(dataType, shape, bytes);
        } catch (RuntimeException | Error e) {
            offsets.close();
            throw e;
        }
        for (long i = 0; i < elements; i++) {
            long at = offsets.segment().getAtIndex(ValueLayout.JAVA_LONG, i);
            MemorySegment element =
                    read.content(descriptors, i * VariableLengthType.DESCRIPTOR_BYTES);
            MemorySegment.copy(element, 0, content.segment(), at, element.byteSize());
        }
        return new VariableLengthTensor(dataType, shape, offsets, content);
    }

    /**
     * {@return the offset of each element, and the end of the last one: 64-bit, in bytes; valid
     * until {@link #close}}
     */
    public MemorySegment offsets() {
        return offsets.segment();
    }

    /** {@return the elements' bytes, one element after another; valid until {@link #close}} */
    public MemorySegment content() {
        return content.segment();
    }

    /** {@return the length of each dimension, in elements} */
    public long[] shape() {
        return shape.clone();
    }

    /** {@return the type of the elements} */
    public VariableLengthType dataType() {
        return dataType;
    }

    /** {@return the number of elements} */
    public long size() {
        return offsets.segment().byteSize() / Long.BYTES - 1;
    }

    /**
     * {@return the bytes of an element: a view, valid until {@link #close}}
     *
     * @param index of the element, in C order
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public MemorySegment element(long index) {
        Objects.checkIndex(index, size());
        long begin = offsets.segment().getAtIndex(ValueLayout.JAVA_LONG, index);
        long end = offsets.segment().getAtIndex(ValueLayout.JAVA_LONG, index + 1);
        return content.segment().asSlice(begin, end - begin);
    }

    /**
     * {@return the bytes of an element: a copy}
     *
     * @param index of the element, in C order
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public byte[] bytes(long index) {
        return element(index).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * {@return an element as text}
     *
     * @param index of the element, in C order
     * @throws IndexOutOfBoundsException if there is no such element
     * @throws IllegalStateException if the element is not UTF-8; byte strings and arrays need not
     *     be
     */
    public String string(long index) {
        byte[] bytes = bytes(index);
        String text = new String(bytes, StandardCharsets.UTF_8);
        boolean isText = // the read has checked strings and JSON values
                dataType.kind() == VariableLengthType.Kind.STRING
                        || dataType.kind() == VariableLengthType.Kind.JSON
                        || Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8));
        if (!isText) {
            throw new IllegalStateException(
                    "element " + index + " of the type " + dataType.typeName() + " is not UTF-8");
        }
        return text;
    }

    /**
     * {@return the elements as text, in C order: a view that converts each element on access}
     *
     * @throws IllegalStateException if there are more elements than a list can have
     */
    public List<String> strings() {
        if (size() > Integer.MAX_VALUE) {
            throw new IllegalStateException(size() + " elements are too many for a list");
        }
        return new Strings();
    }

    private final class Strings extends AbstractList<String> implements RandomAccess {
        @Override
        public String get(int index) {
            return string(index);
        }

        @Override
        public int size() {
            return (int) VariableLengthTensor.this.size();
        }
    }

    /**
     * Frees the memory.
     *
     * @throws IllegalStateException if the tensor is already closed
     */
    @Override
    public void close() {
        offsets.close();
        content.close();
    }

    @Override
    public String toString() {
        return dataType.typeName() + Arrays.toString(shape);
    }
}
