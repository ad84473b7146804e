package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.util.List;
import java.util.SplittableRandom;

/** Reads selections one by one, to compare with a read of many. */
public final class SingleReads {
    private SingleReads() {}

    /** {@return a box of an array, with steps} */
    public static Selection randomBox(SplittableRandom random, long[] shape) {
        DimensionSelection[] parts = new DimensionSelection[shape.length];
        for (int d = 0; d < shape.length; d++) {
            long from = random.nextLong(shape[d] + 1);
            long to = from + random.nextLong(shape[d] - from + 1);
            parts[d] = DimensionSelection.range(from, to, 1 + random.nextLong(3));
        }
        return Selection.orthogonal(parts);
    }

    /** {@return the elements of one selection after another, each read by itself} */
    public static byte[] oneByOne(ZarrArray array, List<Selection> selections) {
        byte[] all = new byte[(int) array.bytesOf(selections)];
        int at = 0;
        for (Selection selection : selections) {
            try (HostTensor tensor = array.read(selection)) {
                byte[] bytes = tensor.segment().toArray(JAVA_BYTE);
                System.arraycopy(bytes, 0, all, at, bytes.length);
                at += bytes.length;
            }
        }
        return all;
    }
}
