package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.Box;
import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.zarr.plan.Region;
import java.util.Arrays;

/**
 * The shape of pieces, without their place.
 *
 * @param box lengths and strides, in elements
 * @param element size and byte order of an element
 * @param isWholeAndPlain whether a chunk's decoded bytes go to the target unchanged, in one run
 */
record PieceShape(Box box, PieceBatch.Element element, boolean isWholeAndPlain) {
    private static final PieceBatch.Element BYTE = new PieceBatch.Element(1, 0);

    /** Returns the shape of one run of bytes. */
    static PieceShape ofBytes(long bytes) {
        long[] one = {1};
        return new PieceShape(new Box(new long[] {bytes}, one, one), BYTE, true);
    }

    /** Returns the shape of a region of a chunk, without dimensions of length 1. */
    static PieceShape of(Region part, ChunkLayout layout) {
        int kept = 0;
        long[] shape = new long[part.rank()];
        long[] source = new long[part.rank()];
        long[] target = new long[part.rank()];
        for (int d = 0; d < part.rank(); d++) {
            if (part.count(d) > 1) {
                shape[kept] = part.count(d);
                source[kept] = part.step(d) * layout.stride(d);
                target[kept++] = part.targetStride(d) / layout.element().bytes();
            }
        }
        var box =
                new Box(
                        Arrays.copyOf(shape, kept),
                        Arrays.copyOf(source, kept),
                        Arrays.copyOf(target, kept));
        boolean isRun = isRun(box.shape(), box.sourceStrides());
        boolean isWhole = isRun && layout.isAll(part.elements());
        return new PieceShape(
                box, layout.element(), isWhole && isRun(box.shape(), box.targetStrides()));
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
