package io.zarrengine.zarr.shuffle;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Chooses the kernel that undoes shuffling: machine code, then vectors, then plain Java. */
public final class ShuffleDispatch {
    /** The kernel in plain Java, which handles everything. */
    public static final ShuffleKernel PLAIN;

    /** All kernels, the fastest first; the last one is {@link #PLAIN}. */
    private static final List<ShuffleKernel> KERNELS;

    static {
        PlainKernel plain = new PlainKernel();
        ShuffleKernel code = new MachineCodeKernel();
        PLAIN = plain;
        KERNELS =
                VectorUnit.IS_THERE
                        ? List.of(code, new VectorKernel(VectorWarmup::new, plain), plain)
                        : List.of(code, plain);
    }

    private ShuffleDispatch() {}

    /** {@return the kernel that puts the bytes of elements together} */
    static ShuffleKernel of(MemorySegment[] planes, ElementRows rows) {
        long bytes = rows.rows() * rows.elements() * planes.length;
        for (ShuffleKernel kernel : KERNELS) {
            if (kernel.handles(planes.length, bytes, rows.target()) && kernel.takes(planes, rows)) {
                return kernel;
            }
        }
        return PLAIN;
    }

    /** {@return the kernel that makes planes of bits} */
    static ShuffleKernel ofBits(MemorySegment bits, MemorySegment planes) {
        for (ShuffleKernel kernel : KERNELS) {
            if (kernel.handlesBits(bits, planes)) {
                return kernel;
            }
        }
        return PLAIN;
    }

    /** {@return the shortest row that is fast to put together by itself, in elements} */
    static long rowElementsMin(int elementBytes, long bytes, MemorySegment target) {
        for (ShuffleKernel kernel : KERNELS) {
            if (kernel.handles(elementBytes, bytes, target)) {
                return kernel.rowElementsMin(elementBytes);
            }
        }
        return PLAIN.rowElementsMin(elementBytes);
    }
}
