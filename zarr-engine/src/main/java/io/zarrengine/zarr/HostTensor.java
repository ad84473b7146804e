package io.zarrengine.zarr;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.datatype.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * The result of a read in memory of the engine's making.
 *
 * <p>Owner: who got it; {@link #close} frees its memory. Threads: any. Its elements lie in C order
 * and native byte order.
 */
public final class HostTensor implements AutoCloseable {
    private final NativeMemory memory;
    private final DataType dataType;
    private final long[] shape;

    /** Takes its memory. */
    HostTensor(DataType dataType, long[] shape, NativeMemory memory) {
        this.dataType = dataType;
        this.shape = shape;
        this.memory = memory;
    }

    /** {@return memory for a result; if the machine has none, the error says for what} */
    static NativeMemory allocate(DataType dataType, long[] shape, long bytes) {
        return allocate(NativeMemory::allocate, dataType, shape, bytes);
    }

    /** {@return the same, from elsewhere} */
    static NativeMemory allocate(
            LongFunction<NativeMemory> allocator, DataType dataType, long[] shape, long bytes) {
        try {
            return allocator.apply(bytes);
        } catch (OutOfMemoryError e) {
            OutOfMemoryError error =
                    new OutOfMemoryError(
                            "the result "
                                    + dataType.typeName()
                                    + Arrays.toString(shape)
                                    + " takes "
                                    + bytes
                                    + " bytes, which the machine does not give: select less at a"
                                    + " time");
            error.initCause(e);
            throw error;
        }
    }

    /** {@return the elements; valid until {@link #close}} */
    public MemorySegment segment() {
        return memory.segment();
    }

    /** {@return the length of each dimension, in elements} */
    public long[] shape() {
        return shape.clone();
    }

    /** {@return the type of the elements} */
    public DataType dataType() {
        return dataType;
    }

    /**
     * Frees the memory.
     *
     * @throws IllegalStateException if it was closed before
     */
    @Override
    public void close() {
        memory.close();
    }

    @Override
    public String toString() {
        return dataType.typeName() + Arrays.toString(shape);
    }
}
