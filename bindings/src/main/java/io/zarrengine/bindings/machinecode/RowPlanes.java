package io.zarrengine.bindings.machinecode;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Planes of rows of equal length.
 *
 * @param bytes length of a row, {@code >= 0}
 * @param rows of each plane, {@code >= 0}
 * @param sourceStride from a row to the next one in the source, in bytes; all strides may be
 *     negative
 * @param targetStride from a row to the next one in the target, in bytes; rows must not overlap
 *     there
 * @param planes {@code >= 0}
 * @param sourcePlaneStride from a plane to the next one in the source, in bytes
 * @param targetPlaneStride from a plane to the next one in the target, in bytes
 */
public record RowPlanes(
        long bytes,
        long rows,
        long sourceStride,
        long targetStride,
        long planes,
        long sourcePlaneStride,
        long targetPlaneStride) {

    boolean isNothing() {
        return bytes == 0 || rows == 0 || planes == 0;
    }

    /** Returns the same rows with {@code bytes} elements each. */
    RowPlanes ofElements(int elementBytes) {
        return new RowPlanes(
                Math.multiplyExact(bytes, elementBytes),
                rows,
                sourceStride,
                targetStride,
                planes,
                sourcePlaneStride,
                targetPlaneStride);
    }

    void checkCounts() {
        if (bytes < 0 || rows < 0 || planes < 0) {
            throw new IllegalArgumentException(toString());
        }
    }

    /** Throws IndexOutOfBoundsException if a row is not in its segment. */
    void check(long first, long rowStride, long planeStride, MemorySegment segment) {
        long alongRows = Math.multiplyExact(rows - 1, rowStride);
        long alongPlanes = Math.multiplyExact(planes - 1, planeStride);
        long low = Math.addExact(Math.min(alongRows, 0), Math.min(alongPlanes, 0));
        long high = Math.addExact(Math.max(alongRows, 0), Math.max(alongPlanes, 0));
        long extent = Math.addExact(Math.subtractExact(high, low), bytes);
        Objects.checkFromIndexSize(Math.addExact(first, low), extent, segment.byteSize());
    }
}
