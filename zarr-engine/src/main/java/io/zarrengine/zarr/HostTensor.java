package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NativeMemoryError;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import io.zarrengine.zarr.datatype.TemporalType;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.tensor.DlpackLayout;
import io.zarrengine.zarr.tensor.Strides;
import io.zarrengine.zarr.tensor.TensorLifetime;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * The result of a read, in memory that the engine has allocated.
 *
 * <p>Owner: the caller that received it; {@link #close} frees its memory, or gives it back. The
 * memory of a tensor that was never closed is freed when the tensor and all slices of its {@link
 * #segment} have been garbage collected; the engine logs that. Threads: any. Its elements are in C
 * order and native byte order.
 */
public final class HostTensor implements AutoCloseable {
    private static final Set<Kind> WHOLE = Set.of(Kind.BOOL, Kind.SIGNED, Kind.UNSIGNED);

    private final MemorySegment segment;
    private final TensorLifetime lifetime;
    private final DataType dataType;
    private final long[] shape;

    /** Takes ownership of the memory. */
    HostTensor(DataType dataType, long[] shape, NativeMemory memory) {
        this(dataType, shape, memory.segment(), memory::close);
    }

    /** {@code free} ends the use of the memory. */
    HostTensor(DataType dataType, long[] shape, MemorySegment segment, Runnable free) {
        this.dataType = dataType;
        this.shape = shape;
        this.segment = segment;
        this.lifetime = new TensorLifetime(free);
    }

    /**
     * {@return a tensor in memory that somebody else owns}
     *
     * @param dataType the type of the elements, of a fixed size
     * @param shape the length of each dimension, in elements
     * @param segment native memory of exactly the elements
     * @param free runs when the tensor is closed. If it throws, the tensor stays open
     * @throws IllegalArgumentException if the size of the memory is another, or it is on the heap
     */
    public static HostTensor of(
            DataType dataType, long[] shape, MemorySegment segment, Runnable free) {
        long bytes = dataType.byteSize();
        for (long length : shape) {
            bytes = Math.multiplyExact(bytes, length);
        }
        if (!segment.isNative() || segment.byteSize() != bytes) {
            throw new IllegalArgumentException(
                    "%s%s takes %d bytes of native memory, found %s"
                            .formatted(
                                    dataType.typeName(), Arrays.toString(shape), bytes, segment));
        }
        return new HostTensor(dataType, shape.clone(), segment, free);
    }

    /**
     * {@return memory for a result} If the system has no memory left, the error names the result.
     */
    static NativeMemory allocate(DataType dataType, long[] shape, long bytes) {
        return allocate(NativeMemory::allocateWatched, dataType, shape, bytes);
    }

    /** {@return memory for a result, from the given allocator} */
    static NativeMemory allocate(
            LongFunction<NativeMemory> allocator, DataType dataType, long[] shape, long bytes) {
        try {
            return allocator.apply(bytes);
        } catch (NativeMemoryError e) {
            throw OutOfMemoryException.ofResult(
                    "the result " + dataType.typeName() + Arrays.toString(shape), bytes, e);
        }
    }

    /**
     * {@return the elements; valid until {@link #close}} Afterwards, access to the segment finds
     * the same elements or fails with {@link IllegalStateException}. It fails at the latest when
     * the memory is reused. In contrast, a loader's segment shows the elements of a later step.
     *
     * @throws IllegalStateException if the tensor is closed
     */
    public MemorySegment segment() {
        lifetime.refuseIfClosed();
        return segment;
    }

    /**
     * Returns the elements as the target of the read that the tensor is made for. Native calls that
     * write there need not keep the memory alive, because the tensor cannot be closed before the
     * read has ended.
     */
    MemorySegment target() {
        boolean isNativeUsed = NativeAccess.denial().isEmpty();
        return isNativeUsed ? NativeHandle.withoutOwner(segment) : segment;
    }

    /** {@return the length of each dimension, in elements} */
    public long[] shape() {
        return shape.clone();
    }

    /** {@return the size of all elements, in bytes} */
    public long byteSize() {
        return segment.byteSize();
    }

    /** {@return the distance from one element to the next along each dimension, in elements} */
    public long[] strides() {
        return Strides.of(shape);
    }

    /** {@return the type of the elements} */
    public DataType dataType() {
        return dataType;
    }

    /**
     * {@return an element as a number; integers of more than 53 bits are rounded to the nearest}
     *
     * @param position its index along each dimension
     * @throws IndexOutOfBoundsException if the position is not inside the shape
     * @throws IllegalArgumentException if the position has the wrong number of dimensions
     * @throws IllegalStateException if the tensor is closed
     * @throws UnsupportedOperationException if the elements are not real numbers
     */
    public double getDouble(long... position) {
        if (dataType instanceof NumericType type && type.kind() != Kind.COMPLEX) {
            return type.toDouble(bits(position));
        }
        throw new UnsupportedOperationException(
                "elements of the type " + dataType.typeName() + " are no real numbers");
    }

    /**
     * {@return an element as a whole number: 0 or 1 for a boolean, the steps of a time, and for
     * uint64 the form that the unsigned methods of {@link Long} take}
     *
     * @param position its index along each dimension
     * @throws IndexOutOfBoundsException if the position is not inside the shape
     * @throws IllegalArgumentException if the position has the wrong number of dimensions
     * @throws IllegalStateException if the tensor is closed
     * @throws UnsupportedOperationException if the elements are not whole numbers
     */
    public long getLong(long... position) {
        return switch (dataType) {
            case NumericType type when WHOLE.contains(type.kind()) -> type.toLong(bits(position));
            case TemporalType _ -> bits(position);
            default ->
                    throw new UnsupportedOperationException(
                            "elements of the type "
                                    + dataType.typeName()
                                    + " are no whole numbers");
        };
    }

    /** Returns an element of up to 64 bits, in the low bits. */
    private long bits(long[] position) {
        long index = Strides.index(shape, position);
        MemorySegment elements = segment();
        return switch (dataType.byteSize()) {
            case Byte.BYTES -> elements.get(JAVA_BYTE, index);
            case Short.BYTES -> elements.getAtIndex(JAVA_SHORT, index);
            case Integer.BYTES -> elements.getAtIndex(JAVA_INT, index);
            default -> elements.getAtIndex(JAVA_LONG, index);
        };
    }

    /**
     * {@return the tensor as a {@code DLManagedTensor} of the CPU without a deleter, for consumers
     * in this process: 64 bytes, valid until {@link #close}}
     *
     * @throws IllegalStateException if the tensor is closed
     * @throws UnsupportedOperationException if DLPack has no such type
     * @see <a href="https://dmlc.github.io/dlpack/latest/c_api.html">DLPack, C API</a>
     */
    public MemorySegment toDlpack() {
        return DlpackLayout.write(lifetime.views(), segment.address(), -1, dataType, shape);
    }

    /**
     * Frees the memory, and the views of it. Memory that the engine reuses stays allocated while a
     * native call uses it.
     *
     * @throws IllegalStateException if the tensor is already closed; or if a native call uses a
     *     view, or memory that would be returned to the system because the result is larger than
     *     the engine keeps. In the second case the tensor stays open, but other views are gone
     */
    @Override
    public void close() {
        lifetime.close();
    }

    /**
     * Closes the tensor unless it is already closed.
     *
     * @throws IllegalStateException if a native call uses it, as {@link #close} does
     */
    public void closeIfOpen() {
        lifetime.closeIfOpen();
    }

    @Override
    public String toString() {
        return dataType.typeName() + Arrays.toString(shape);
    }
}
