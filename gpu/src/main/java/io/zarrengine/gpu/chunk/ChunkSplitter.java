package io.zarrengine.gpu.chunk;

import io.zarrengine.zarr.plan.Region;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits the elements of a chunk that is larger than a slot into blocks that fit. Each block is one
 * run of elements: some rows of the first dimension whose rows fit a slot.
 *
 * <p>Owner: one thread.
 */
public final class ChunkSplitter {
    /**
     * A block with wanted elements.
     *
     * @param offset offset of the block in the chunk, in bytes
     * @param bytes length of the block in bytes
     * @param shape shape of the block in elements
     * @param parts the wanted parts, in the block's coordinates; at least one
     */
    public record Block(long offset, long bytes, List<Long> shape, List<Region> parts) {}

    private final List<Long> shape;
    private final int elementBytes;
    private final int cut; // the dimension that is cut; a block has length 1 in those before it
    private final long rows; // of a block along that dimension
    private final long rowElements;

    public ChunkSplitter(List<Long> shape, int elementBytes, long blockBytes) {
        this.shape = shape;
        this.elementBytes = elementBytes;
        long elementsMax = blockBytes / elementBytes;
        int dimension = shape.size() - 1;
        long inner = 1;
        while (dimension > 0 && inner * shape.get(dimension) <= elementsMax) {
            inner *= shape.get(dimension--);
        }
        cut = dimension;
        rowElements = inner;
        rows = elementsMax / inner;
    }

    /** {@return the blocks that contain wanted parts of the chunk, in the order of their bytes} */
    public List<Block> holding(List<Region> parts) {
        List<Block> holding = new ArrayList<>();
        long[] begin = new long[shape.size()];
        long[] length = new long[shape.size()];
        for (int d = 0; d < length.length; d++) {
            length[d] = d < cut ? 1 : shape.get(d);
        }
        long end = shape.stream().reduce((long) elementBytes, Math::multiplyExact);
        for (long at = 0; at < end; ) {
            length[cut] = Math.min(rows, shape.get(cut) - begin[cut]);
            long bytes = length[cut] * rowElements * elementBytes;
            List<Region> inside = inside(parts, begin, length);
            if (!inside.isEmpty()) {
                holding.add(new Block(at, bytes, boxed(length), inside));
            }
            at += bytes;
            advance(begin, length[cut]);
        }
        return holding;
    }

    /** Advances to the next block, in C order. */
    private void advance(long[] begin, long by) {
        begin[cut] += by;
        for (int d = cut; d > 0 && begin[d] == shape.get(d); d--) {
            begin[d] = 0;
            begin[d - 1]++;
        }
    }

    private static List<Long> boxed(long[] values) {
        List<Long> boxed = new ArrayList<>();
        for (long value : values) {
            boxed.add(value);
        }
        return boxed;
    }

    private static List<Region> inside(List<Region> parts, long[] begin, long[] length) {
        List<Region> inside = new ArrayList<>();
        for (Region part : parts) {
            Region region = inside(part, begin, length);
            if (region != null) {
                inside.add(region);
            }
        }
        return inside;
    }

    /** Returns the section of a part that lies in the block, or null if there is none. */
    private static Region inside(Region part, long[] begin, long[] length) {
        int rank = part.rank();
        long[] start = new long[rank];
        long[] step = new long[rank];
        long[] count = new long[rank];
        long[] stride = new long[rank];
        long offset = part.targetOffset();
        for (int d = 0; d < rank; d++) {
            step[d] = part.step(d);
            stride[d] = part.targetStride(d);
            long before = Math.max(0, Math.ceilDiv(begin[d] - part.start(d), step[d]));
            long last = Math.floorDiv(begin[d] + length[d] - 1 - part.start(d), step[d]);
            count[d] = Math.min(part.count(d) - 1, last) - before + 1;
            if (count[d] <= 0) {
                return null;
            }
            start[d] = part.start(d) + before * step[d] - begin[d];
            offset += before * stride[d];
        }
        return new Region(start, step, count, stride, offset);
    }
}
