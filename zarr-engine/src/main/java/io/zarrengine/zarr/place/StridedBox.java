package io.zarrengine.zarr.place;

import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A box of elements with a stride along each dimension in the source and in the target, in its
 * simplest form: without dimensions of length 1, with the target's smallest stride last, and with
 * dimensions joined that are contiguous.
 *
 * <p>Reused for one piece after another; its arrays never shrink. Owner: one thread.
 */
public final class StridedBox {
    private int elementBytes;
    private int rank;
    private long[] count = new long[8];
    private long[] sourceStride = new long[8]; // in bytes
    private long[] targetStride = new long[8]; // in bytes
    private long sourceOffset; // in bytes
    private long targetOffset; // in bytes

    /** Creates an empty box. */
    public StridedBox() {}

    /**
     * Sets the box to a region of a chunk.
     *
     * @param region positions in the chunk, in its encoded dimensions; none of its counts is 0
     * @param chunkShape the chunk's encoded shape; its elements are in C order
     * @param newElementBytes size of an element
     */
    public void set(Region region, long[] chunkShape, int newElementBytes) {
        elementBytes = newElementBytes;
        rank = 0;
        sourceOffset = 0;
        targetOffset = region.targetOffset();
        long stride = elementBytes;
        for (int d = region.rank() - 1; d >= 0; d--) {
            sourceOffset += region.start(d) * stride;
            if (region.count(d) > 1) {
                insert(region.count(d), region.step(d) * stride, region.targetStride(d));
            }
            stride *= chunkShape[d];
        }
        join();
    }

    /** Keeps the dimensions sorted, the largest stride of the target first. */
    private void insert(long newCount, long newSource, long newTarget) {
        if (rank == count.length) {
            count = Arrays.copyOf(count, 2 * rank);
            sourceStride = Arrays.copyOf(sourceStride, 2 * rank);
            targetStride = Arrays.copyOf(targetStride, 2 * rank);
        }
        int at = rank++;
        while (at > 0 && Math.abs(targetStride[at - 1]) <= Math.abs(newTarget)) {
            count[at] = count[at - 1];
            sourceStride[at] = sourceStride[at - 1];
            targetStride[at] = targetStride[at - 1];
            at--;
        }
        count[at] = newCount;
        sourceStride[at] = newSource;
        targetStride[at] = newTarget;
    }

    /** Joins a dimension with the one before it if they are contiguous on both sides. */
    private void join() {
        int last = 0; // the dimension that grows
        for (int d = 1; d < rank; d++) {
            boolean runsOn =
                    sourceStride[last] == count[d] * sourceStride[d]
                            && targetStride[last] == count[d] * targetStride[d];
            if (!runsOn) {
                last++;
            }
            count[last] = runsOn ? count[last] * count[d] : count[d];
            sourceStride[last] = sourceStride[d];
            targetStride[last] = targetStride[d];
        }
        rank = Math.min(rank, last + 1);
    }

    /** {@return the number of dimensions left; 0 for a single element} */
    public int rank() {
        return rank;
    }

    long count(int d) {
        return count[d];
    }

    long sourceStride(int d) {
        return sourceStride[d];
    }

    long targetStride(int d) {
        return targetStride[d];
    }

    long sourceOffset() {
        return sourceOffset;
    }

    /**
     * Moves the box in the source, if only a part of the source is there.
     *
     * @param bytes distance
     */
    public void moveSource(long bytes) {
        sourceOffset += bytes;
    }

    /** {@return the offset of the box in the source, in bytes} */
    public long sourceFrom() {
        long from = sourceOffset;
        for (int d = 0; d < rank; d++) {
            from += Math.min(0, (count[d] - 1) * sourceStride[d]);
        }
        return from;
    }

    /** {@return the end of the box in the source, exclusive, in bytes} */
    public long sourceTo() {
        long to = sourceOffset + elementBytes;
        for (int d = 0; d < rank; d++) {
            to += Math.max(0, (count[d] - 1) * sourceStride[d]);
        }
        return to;
    }

    /** {@return the offset of the first element in the target, in bytes} */
    public long targetOffset() {
        return targetOffset;
    }

    /** {@return the size of an element} */
    public int elementBytes() {
        return elementBytes;
    }

    /** {@return whether elements are adjacent along the last dimension, on both sides} */
    boolean hasRows() {
        return rank == 0
                || (sourceStride[rank - 1] == elementBytes
                        && targetStride[rank - 1] == elementBytes);
    }

    /** {@return whether the box has rows, in the order of the source} */
    public boolean hasRowsInSourceOrder() {
        long extent = elementBytes; // from first element to end, of dimensions after d
        for (int d = rank - 2; d >= 0; d--) {
            extent += (count[d + 1] - 1) * sourceStride[d + 1];
            if (sourceStride[d] < extent) {
                return false;
            }
        }
        return hasRows();
    }

    /** {@return the length of a row} */
    public long rowBytes() {
        return rank == 0 ? elementBytes : count[rank - 1] * elementBytes;
    }

    /** {@return whether the box is contiguous in the target} */
    public boolean isContiguousInTarget() {
        return rank == 0 || (rank == 1 && targetStride[0] == elementBytes);
    }

    /** {@return whether the box is contiguous on both sides} */
    public boolean isContiguous() {
        return isContiguousInTarget() && (rank == 0 || sourceStride[0] == elementBytes);
    }

    /**
     * {@return whether the rows of the box are contiguous in the source, in the order of the
     * dimensions}
     */
    public boolean isContiguousInSource() {
        long stride = elementBytes;
        for (int d = rank - 1; d >= 0; d--) {
            if (sourceStride[d] != stride) {
                return false;
            }
            stride *= count[d];
        }
        return hasRows();
    }

    /**
     * {@return the rows in the target, in the order of the dimensions}
     *
     * @param target in which the box {@link #hasRows}
     */
    public List<MemorySegment> targetRows(MemorySegment target) {
        long bytes = rowBytes();
        int rows = Math.toIntExact(bytes() / bytes);
        List<MemorySegment> all = new ArrayList<>(rows);
        for (int row = 0; row < rows; row++) {
            long at = targetOffset;
            long rest = row;
            for (int d = rank - 2; d >= 0; d--) {
                at += rest % count[d] * targetStride[d];
                rest /= count[d];
            }
            all.add(target.asSlice(at, bytes));
        }
        return all;
    }

    /** Gets the positions of each element of a box. */
    @FunctionalInterface
    public interface ElementVisitor {
        /**
         * Visits an element.
         *
         * @param sourceAt offset of the element in the source, in bytes
         * @param targetAt offset of the element in the target, in bytes
         */
        void visit(long sourceAt, long targetAt);
    }

    /**
     * Visits the elements one by one.
     *
     * @param visitor gets each element
     */
    public void forEach(ElementVisitor visitor) {
        forEach(0, sourceOffset, targetOffset, visitor);
    }

    private void forEach(int d, long sourceAt, long targetAt, ElementVisitor visitor) {
        if (d == rank) {
            visitor.visit(sourceAt, targetAt);
            return;
        }
        for (long i = 0; i < count[d]; i++) {
            forEach(d + 1, sourceAt + i * sourceStride[d], targetAt + i * targetStride[d], visitor);
        }
    }

    /**
     * Writes the box as numbers, for machine code: the offsets, the length of a row, the number of
     * other dimensions, then the count and the strides of each.
     *
     * @param to gets them; has room for {@link #rank} dimensions
     * @param first place of the first one
     */
    public void write(long[] to, int first) {
        int outer = Math.max(rank - 1, 0);
        to[first] = sourceOffset;
        to[first + 1] = targetOffset;
        to[first + 2] = rowBytes();
        to[first + 3] = outer;
        int at = first + 4;
        for (int d = 0; d < outer; d++) {
            to[at++] = count[d];
            to[at++] = sourceStride[d];
            to[at++] = targetStride[d];
        }
    }

    /** {@return the bytes of all elements} */
    public long bytes() {
        long bytes = elementBytes;
        for (int d = 0; d < rank; d++) {
            bytes *= count[d];
        }
        return bytes;
    }
}
