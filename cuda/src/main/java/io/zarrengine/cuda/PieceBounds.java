package io.zarrengine.cuda;

import io.zarrengine.cuda.PieceBatch.Box;
import io.zarrengine.cuda.PieceBatch.Source;
import java.util.Objects;

/** Whether a piece has elements, and that they lie inside its source and its target. */
final class PieceBounds {
    private PieceBounds() {}

    static boolean isEmpty(Box box) {
        boolean isEmpty = false;
        for (long length : box.shape()) {
            if (length < 0) {
                throw new IllegalArgumentException("a length of " + length);
            }
            isEmpty |= length == 0;
        }
        return isEmpty;
    }

    /** Checks what {@link #start} does, where there is a chunk. */
    static void check(Source source, Box box, int elementBytes) {
        if (source instanceof Source.Plain(DeviceSlice chunk, long first)) {
            start(chunk, first, box.shape(), box.sourceStrides(), elementBytes);
        } else if (source instanceof Source.Shuffled(DeviceSlice chunk, long first, _, _)) {
            start(chunk, first, box.shape(), box.sourceStrides(), elementBytes);
        }
    }

    /**
     * The address of the first element, after a check that the first and last of all lie inside.
     */
    static long start(
            DeviceSlice memory, long first, long[] shape, long[] strides, int elementBytes) {
        long lowest = first;
        long highest = first;
        for (int i = 0; i < shape.length; i++) {
            long reach = Math.multiplyExact(shape[i] - 1, strides[i]);
            lowest = Math.addExact(lowest, Math.min(reach, 0));
            highest = Math.addExact(highest, Math.max(reach, 0));
        }
        long elements = memory.byteSize() / elementBytes;
        Objects.checkFromToIndex(lowest, Math.addExact(highest, 1), elements);
        return memory.address() + first * elementBytes;
    }
}
