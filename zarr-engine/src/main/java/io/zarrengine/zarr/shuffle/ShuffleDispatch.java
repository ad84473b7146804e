package io.zarrengine.zarr.shuffle;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Chooses who undoes shuffling: machine code, else vectors, else plain Java. */
public final class ShuffleDispatch {
    /** Plain Java, which handles everything. */
    public static final ShuffleKernel PLAIN;

    /** The fastest first; the last one is {@link #PLAIN}. */
    private static final List<ShuffleKernel> KERNELS;

    static {
        PlainKernel plain = new PlainKernel();
        ShuffleKernel code = new CodeKernel();
        PLAIN = plain;
        KERNELS =
                VectorUnit.IS_THERE
                        ? List.of(code, new VectorKernel(VectorWarmup::new, plain), plain)
                        : List.of(code, plain);
    }

    private ShuffleDispatch() {}

    /** {@return who puts the bytes of elements side by side} */
    static ShuffleKernel of(MemorySegment[] planes, ElementRows rows) {
        long bytes = rows.rows() * rows.elements() * planes.length;
        for (ShuffleKernel kernel : KERNELS) {
            if (kernel.handles(planes.length, bytes, rows.target()) && kernel.takes(planes, rows)) {
                return kernel;
            }
        }
        return PLAIN;
    }

    /** {@return who makes planes of bits} */
    static ShuffleKernel ofBits(MemorySegment bits, MemorySegment planes) {
        for (ShuffleKernel kernel : KERNELS) {
            if (kernel.handlesBits(bits, planes)) {
                return kernel;
            }
        }
        return PLAIN;
    }

    /** {@return how many elements a row must have to be put together fast by itself} */
    static long rowElementsMin(int elementBytes, long bytes, MemorySegment target) {
        for (ShuffleKernel kernel : KERNELS) {
            if (kernel.handles(elementBytes, bytes, target)) {
                return kernel.rowElementsMin(elementBytes);
            }
        }
        return PLAIN.rowElementsMin(elementBytes);
    }
}
