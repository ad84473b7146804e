package io.zarrengine.zarr.place;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The rows of a box in the order of the source, block by block. Each block yields runs of rows at
 * equal distances. A row that reaches into the next block is cut.
 *
 * <p>Reused for one box after another. Owner: one thread.
 */
public final class RowRuns {
    private StridedBox box;
    private MemorySegment target;
    private long[] index = new long[8]; // of the next row, in all dimensions but the last
    private long cut; // bytes of the next row that were in earlier blocks
    private boolean over;

    /** Creates an object without a box. */
    public RowRuns() {}

    /**
     * Begins with the first row.
     *
     * @param newBox with {@linkplain StridedBox#hasRowsInSourceOrder rows in the source's order};
     *     must not change while its rows are taken
     * @param newTarget of the rows
     */
    public void begin(StridedBox newBox, MemorySegment newTarget) {
        box = newBox;
        target = newTarget;
        if (index.length < box.rank()) {
            index = new long[box.rank()];
        }
        Arrays.fill(index, 0);
        cut = 0;
        over = false;
    }

    /**
     * {@return the next rows, or the part of the next row that is in a block; null if there is
     * none}
     *
     * @param blockFrom offset of the block in the source, in bytes; its end is not before the end
     *     of the previous block
     * @param blockTo end of the block
     * @param elementBytes unit to count in: divides the size of the box's elements and the offset
     *     of the block
     */
    public ElementRows next(long blockFrom, long blockTo, int elementBytes) {
        if (over) {
            return null;
        }
        long from = box.sourceOffset() + cut;
        long to = box.targetOffset() + cut;
        for (int d = 0; d < box.rank() - 1; d++) {
            from += index[d] * box.sourceStride(d);
            to += index[d] * box.targetStride(d);
        }
        if (from >= blockTo) {
            return null;
        }
        int plane = box.rank() - 2;
        long sourceStride = plane < 0 ? 0 : box.sourceStride(plane);
        long targetStride = plane < 0 ? 0 : box.targetStride(plane);
        long bytes = Math.min(box.rowBytes() - cut, blockTo - from);
        long rows = 1;
        if (bytes < box.rowBytes()) {
            cut = (cut + bytes) % box.rowBytes();
        } else if (plane >= 0) {
            long behind = (blockTo - from - bytes) / sourceStride;
            rows = Math.min(1 + behind, box.count(plane) - index[plane]);
        }
        if (cut == 0) {
            advance(rows);
        }
        return new ElementRows(
                rows,
                bytes / elementBytes,
                (from - blockFrom) / elementBytes,
                sourceStride / elementBytes,
                target,
                to,
                targetStride);
    }

    /**
     * Copies the part of the next rows that is in a block of the source.
     *
     * @param block bytes in native memory of the engine, not a mapped file
     * @param at offset of the block in the source, after the previous block
     */
    public void copy(MemorySegment block, long at) {
        boolean isFar = RowCopyCalls.takesFar(box, target);
        long end = at + block.byteSize();
        ElementRows rows = next(at, end, 1);
        while (rows != null) {
            if (isFar) {
                RowCopyCalls.copy(block, rows);
            } else {
                copyInJava(block, rows);
            }
            rows = next(at, end, 1);
        }
    }

    private static void copyInJava(MemorySegment block, ElementRows rows) {
        new RowCopy(
                        rows.rows(),
                        rows.elements(),
                        block,
                        rows.stride(),
                        rows.target(),
                        rows.targetStride())
                .copy(rows.from(), rows.to());
    }

    private void advance(long rows) {
        int d = box.rank() - 2;
        if (d >= 0) {
            index[d] += rows;
        }
        while (d >= 0 && index[d] == box.count(d)) {
            index[d] = 0;
            d--;
            if (d >= 0) {
                index[d]++;
            }
        }
        over = d < 0;
    }
}
