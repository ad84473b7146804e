package io.zarrengine.zarr.device;

import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.zarr.plan.Region;
import java.util.Arrays;
import java.util.List;

/**
 * The wanted elements of a chunk, and where they go.
 *
 * @param box lengths and strides, in elements
 * @param sourceFirst the first one in the chunk, in elements
 * @param targetFirst the first one in the target, in elements
 * @param element what an element is
 * @param isWholeAndPlain whether the chunk's decoded bytes go to the target as they are, in one run
 */
record Piece(
        PieceBatch.Box box,
        long sourceFirst,
        long targetFirst,
        PieceBatch.Element element,
        boolean isWholeAndPlain) {
    /** Bytes in one run. */
    static Piece ofBytes(long targetOffset, long bytes) {
        long[] one = {1};
        return new Piece(
                new PieceBatch.Box(new long[] {bytes}, one, one),
                0,
                targetOffset,
                new PieceBatch.Element(1, 0),
                true);
    }

    /** A region of a chunk whose elements lie in C order. */
    static Piece of(Region part, List<Long> chunkShape, PieceBatch.Element element) {
        int rank = part.rank();
        int kept = 0;
        long[] shape = new long[rank];
        long[] source = new long[rank];
        long[] target = new long[rank];
        long first = 0;
        long stride = 1;
        for (int d = rank - 1; d >= 0; d--) {
            first += part.start(d) * stride;
            if (part.count(d) > 1) { // Filled from the end, so that the order stays.
                int at = rank - ++kept;
                shape[at] = part.count(d);
                source[at] = part.step(d) * stride;
                target[at] = part.targetStride(d) / element.bytes();
            }
            stride *= chunkShape.get(d);
        }
        long[] keptShape = last(shape, kept);
        long[] keptSource = last(source, kept);
        long[] keptTarget = last(target, kept);
        boolean isRun = isRun(keptShape, keptSource) && isRun(keptShape, keptTarget);
        return new Piece(
                new PieceBatch.Box(keptShape, keptSource, keptTarget),
                first,
                part.targetOffset() / element.bytes(),
                element,
                isRun && part.elements() == stride && element.swapBytes() == 0);
    }

    private static long[] last(long[] values, int count) {
        return Arrays.copyOfRange(values, values.length - count, values.length);
    }

    private static boolean isRun(long[] shape, long[] strides) {
        long expected = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            if (strides[d] != expected) {
                return false;
            }
            expected *= shape[d];
        }
        return true;
    }
}
