package io.zarrengine.zarr.tensor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Set;

/** The layout of {@code DLManagedTensor} of dlpack.h, on 64-bit machines. */
public final class DlpackLayout {
    private static final long BYTES = 64;
    private static final long DATA = 0;
    private static final long DEVICE_TYPE = 8;
    private static final long DEVICE_ID = 12;
    private static final long RANK = 16;
    private static final long TYPE_CODE = 20;
    private static final long TYPE_BITS = 21;
    private static final long TYPE_LANES = 22;
    private static final long SHAPE = 24;
    private static final long STRIDES = 32;
    private static final long ALIGNMENT = 8;

    private static final int CPU = 1; // kDLCPU
    private static final int CUDA = 2; // kDLCUDA

    private static final byte INT = 0; // kDLInt, and so on
    private static final byte UINT = 1;
    private static final byte FLOAT = 2;
    private static final byte BFLOAT = 4;
    private static final byte COMPLEX = 5;
    private static final byte BOOL = 6;

    private static final Set<NumericType> COMPLEX_PARTS =
            Set.of(NumericType.FLOAT16, NumericType.FLOAT32, NumericType.FLOAT64);

    private DlpackLayout() {}

    /**
     * Writes a tensor. All other fields are 0: no offset, no context, no deleter.
     *
     * @param memory allocates the view, zeroed
     * @param device number of a CUDA device, or -1 for host memory
     */
    public static MemorySegment write(
            SegmentAllocator memory, long pointer, int device, DataType type, long[] shape) {
        int rank = shape.length;
        MemorySegment extents = memory.allocate(JAVA_LONG, Math.max(1, 2L * rank));
        MemorySegment strides = extents.asSlice((long) Long.BYTES * rank);
        MemorySegment.copy(shape, 0, extents, JAVA_LONG, 0, rank);
        MemorySegment.copy(Strides.of(shape), 0, strides, JAVA_LONG, 0, rank);
        MemorySegment tensor = memory.allocate(BYTES, ALIGNMENT);
        tensor.set(JAVA_LONG, DATA, pointer);
        tensor.set(JAVA_INT, DEVICE_TYPE, device < 0 ? CPU : CUDA);
        tensor.set(JAVA_INT, DEVICE_ID, Math.max(device, 0));
        tensor.set(JAVA_INT, RANK, rank);
        tensor.set(JAVA_BYTE, TYPE_CODE, code(type));
        tensor.set(JAVA_BYTE, TYPE_BITS, (byte) (Byte.SIZE * type.byteSize()));
        tensor.set(JAVA_SHORT, TYPE_LANES, (short) 1);
        tensor.set(ADDRESS, SHAPE, extents);
        tensor.set(ADDRESS, STRIDES, strides);
        return tensor;
    }

    private static byte code(DataType type) {
        if (!(type instanceof NumericType numeric) || !isKnown(numeric)) {
            throw new UnsupportedOperationException("DLPack has no type " + type.typeName());
        }
        if (numeric == NumericType.BFLOAT16) {
            return BFLOAT;
        }
        return switch (numeric.kind()) {
            case BOOL -> BOOL;
            case SIGNED -> INT;
            case UNSIGNED -> UINT;
            case FLOAT -> {
                if (numeric.byteSize() == 1) {
                    throw new UnsupportedOperationException(
                            "DLPack before 1.1 has no type " + type.typeName());
                }
                yield FLOAT;
            }
            case COMPLEX -> COMPLEX;
        };
    }

    /**
     * {@return whether an element uses all bits of its bytes, or is a complex number of known
     * parts}
     */
    private static boolean isKnown(NumericType type) {
        return switch (type.kind()) {
            case BOOL -> true;
            case COMPLEX -> COMPLEX_PARTS.contains(type.part());
            case SIGNED, UNSIGNED, FLOAT -> type.bits() == Byte.SIZE * type.byteSize();
        };
    }
}
