package io.zarrengine.zarr.device;

import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.zarr.plan.Region;
import java.util.List;

/** How the elements of chunks lie: in C order. */
final class ChunkLayout {
    private final long[] strides; // (rank), in elements
    private final long elements;
    private final PieceBatch.Element element;
    private final boolean mayBeDirect;

    /**
     * Creates a layout.
     *
     * @param shape of a chunk, in elements
     * @param elementBytes size of an element
     * @param swapBytes size of the units whose bytes are in the other order; 1 if none are
     * @param mayBeDirect whether what is decoded is elements already
     */
    ChunkLayout(List<Long> shape, int elementBytes, int swapBytes, boolean mayBeDirect) {
        strides = new long[shape.size()];
        long stride = 1;
        for (int d = strides.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= shape.get(d);
        }
        elements = stride;
        element = new PieceBatch.Element(elementBytes, swapBytes == 1 ? 0 : swapBytes);
        this.mayBeDirect = mayBeDirect;
    }

    PieceBatch.Element element() {
        return element;
    }

    /** {@return the distance of elements that are neighbours along a dimension} */
    long stride(int dimension) {
        return strides[dimension];
    }

    /** {@return where a part begins, in elements} */
    long first(Region part) {
        long first = 0;
        for (int d = 0; d < strides.length; d++) {
            first += part.start(d) * strides[d];
        }
        return first;
    }

    /** {@return whether so many elements in one run are all of a chunk, as it is decoded} */
    boolean isAll(long elementsOfRun) {
        return mayBeDirect && element.swapBytes() == 0 && elementsOfRun == elements;
    }
}
