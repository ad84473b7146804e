package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.PieceBatch;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.sink.ChunkBlock;
import java.util.List;

/** Layout of the elements of a chunk or block, in C order. */
public final class ChunkLayout {
    private final long[] strides; // one per dimension, in elements
    private final long elements;
    private final long first; // index of the first element present
    private final PieceBatch.Element element;
    private final boolean mayBeDirect;

    private ChunkLayout(
            List<Long> shape, long first, int elementBytes, int swapBytes, boolean mayBeDirect) {
        this.first = first;
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

    /**
     * {@return the layout of a pipeline's elements} They keep their byte order, unless filters are
     * undone.
     *
     * @param shape shape of a chunk of the pipeline, or of a block of it, in elements
     * @param mayBeDirect whether the device's decoded bytes are the final elements
     */
    public static ChunkLayout of(ChunkPipeline pipeline, List<Long> shape, boolean mayBeDirect) {
        int swapBytes =
                pipeline.serializer() instanceof Serializer.Elements elements
                        ? elements.swapBytes()
                        : 1;
        return new ChunkLayout(shape, 0, pipeline.elementBytes(), swapBytes, mayBeDirect);
    }

    /** {@return the layout of a block of a chunk that is stored as it is} */
    public static ChunkLayout of(ChunkPipeline pipeline, ChunkBlock block) {
        int elementBytes = pipeline.elementBytes();
        long first = block.offset() / elementBytes;
        return new ChunkLayout(block.shape(), first, elementBytes, pipeline.swapBytes(), false);
    }

    PieceBatch.Element element() {
        return element;
    }

    /** {@return the distance in elements between neighbours along a dimension} */
    long stride(int dimension) {
        return strides[dimension];
    }

    /**
     * {@return the offset in elements of a part's first element, from the first element present}
     */
    long first(Region part) {
        long at = -first;
        for (int d = 0; d < strides.length; d++) {
            at += part.start(d) * strides[d];
        }
        return at;
    }

    /** {@return whether a run of this many elements is the whole chunk, and needs no conversion} */
    boolean isAll(long elementsOfRun) {
        return mayBeDirect && element.swapBytes() == 0 && elementsOfRun == elements;
    }
}
