package io.zarrengine.zarr.place;

import io.zarrengine.bindings.machinecode.MachineCodeRowCopy;
import io.zarrengine.bindings.machinecode.RowPlanes;
import java.lang.foreign.MemorySegment;

/**
 * Copies rows by machine code ({@link MachineCodeRowCopy}) where that is faster than Java. To a
 * target larger than its share of the caches, it writes past them: rows of 512 bytes twice as fast
 * as any other way. Otherwise it copies short rows, three times as fast
 * (docs/decisions/short-rows.md). The target must not be a mapped file.
 */
final class RowCopyCalls {
    /** Two cache lines. The rest of a shorter row's lines is written by other rows. */
    private static final long FAR_ROW_BYTES_MIN = 128;

    /**
     * Longest short row. Near this size Java's checks cost little, but the machine code prefetches
     * a page ahead.
     */
    private static final long SHORT_ROW_BYTES_MAX = 2 << 10;

    /** Number of rows that Java copies in the time of a call. */
    private static final long SHORT_ROWS_MIN = 8;

    /**
     * Fewest bytes of a call that counts the target's users. The calls contend for the counter: 16
     * cores that did so for each 4 KiB were half as fast as Java (docs/decisions/short-rows.md).
     */
    private static final long COUNTED_BYTES_MIN = 8 << 10;

    /**
     * Most bytes of a call that writes to the heap. The garbage collector waits for the call: 20 to
     * 140 us (2 cores, Zen 4). A row counts as at least one cache line.
     */
    private static final long HEAP_CALL_BYTES_MAX = 256 << 10;

    private static final boolean READS_MAPPED_FILES = MachineCodeRowCopy.exposure().isEmpty();

    private RowCopyCalls() {}

    /** {@return whether this class should copy a box that has rows} */
    static boolean takes(StridedBox box, MemorySegment target) {
        return (isShort(box, target) || isFar(box.rowBytes(), target))
                && canCopyTo(target, box.rowBytes());
    }

    private static boolean isShort(StridedBox box, MemorySegment target) {
        long rows = rowsOfCall(box);
        return box.rowBytes() <= SHORT_ROW_BYTES_MAX
                && rows >= SHORT_ROWS_MIN
                && isWorthACall(rows * box.rowBytes(), target);
    }

    /** {@return whether a number of bytes is worth a call, if the target's users are counted} */
    static boolean isWorthACall(long bytes, MemorySegment target) {
        return bytes >= COUNTED_BYTES_MIN || !MachineCodeRowCopy.isCounted(target);
    }

    /**
     * {@return whether this class should copy a box because the target is larger than its share of
     * the caches}
     */
    static boolean takesFar(StridedBox box, MemorySegment target) {
        return isFar(box.rowBytes(), target) && canCopyTo(target, box.rowBytes());
    }

    /**
     * {@return whether machine code may read a segment; a mapped file, which is read-only, only on
     * some systems}
     */
    static boolean mayRead(MemorySegment source) {
        boolean isOurs = !source.isMapped() && !source.isReadOnly();
        return source.isNative() && (isOurs || READS_MAPPED_FILES);
    }

    static boolean canCopyTo(MemorySegment target, long rowBytes) {
        return !target.isMapped()
                && rowsOfCallMax(target, rowBytes) > 0
                && MachineCodeRowCopy.isAvailable()
                && MachineCodeRowCopy.mayWrite(target);
    }

    /** Returns the number of rows in one call, which copies the last three dimensions. */
    private static long rowsOfCall(StridedBox box) {
        long rows = 1;
        for (int d = Math.max(0, box.rank() - 3); d < box.rank() - 1; d++) {
            rows *= box.count(d);
        }
        return rows;
    }

    private static boolean isFar(long rowBytes, MemorySegment target) {
        return rowBytes >= FAR_ROW_BYTES_MIN && NonTemporalTargets.contain(target);
    }

    /** Copies a box that has rows. */
    static void copy(StridedBox box, MemorySegment source, MemorySegment target) {
        copy(box, 0, source, box.sourceOffset(), target, box.targetOffset());
    }

    /** Copies all dimensions from {@code d} on, the last three at once. */
    private static void copy(
            StridedBox box, int d, MemorySegment source, long from, MemorySegment target, long to) {
        if (d >= box.rank() - 3) {
            copy(source, from, target, to, lastRows(box), Long.MAX_VALUE, RowCopyCalls::call);
            return;
        }
        for (long i = 0; i < box.count(d); i++) {
            long fromHere = from + i * box.sourceStride(d);
            copy(box, d + 1, source, fromHere, target, to + i * box.targetStride(d));
        }
    }

    private static RowPlanes lastRows(StridedBox box) {
        int row = box.rank() - 2;
        int plane = box.rank() - 3;
        return new RowPlanes(
                box.rowBytes(),
                row < 0 ? 1 : box.count(row),
                row < 0 ? 0 : box.sourceStride(row),
                row < 0 ? 0 : box.targetStride(row),
                plane < 0 ? 1 : box.count(plane),
                plane < 0 ? 0 : box.sourceStride(plane),
                plane < 0 ? 0 : box.targetStride(plane));
    }

    /** Copies rows of bytes from a block. */
    static void copy(MemorySegment block, ElementRows rows) {
        copy(
                block,
                rows.from(),
                rows.target(),
                rows.to(),
                rows.ofBytes(),
                Long.MAX_VALUE,
                RowCopyCalls::call);
    }

    /** A function of {@link MachineCodeRowCopy}. */
    @FunctionalInterface
    interface Call {
        void copy(MemorySegment source, long from, MemorySegment target, long to, RowPlanes rows);
    }

    /**
     * Copies rows in as many calls as needed to keep each one short.
     *
     * @param rowsMax most rows of a plane in one call, if there are several
     */
    static void copy(
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            RowPlanes rows,
            long rowsMax,
            Call call) {
        long most = rowsOfCallMax(target, rows.bytes());
        if (rows.rows() * rows.planes() <= most) {
            call.copy(source, from, target, to, rows);
            return;
        }
        long some = Math.min(rows.rows(), Math.min(rowsMax, most));
        long planes = Math.max(1, most / some);
        for (long p = 0; p < rows.planes(); p += planes) {
            long fromPlane = from + p * rows.sourcePlaneStride();
            long toPlane = to + p * rows.targetPlaneStride();
            for (long r = 0; r < rows.rows(); r += some) {
                RowPlanes part =
                        new RowPlanes(
                                rows.bytes(),
                                Math.min(some, rows.rows() - r),
                                rows.sourceStride(),
                                rows.targetStride(),
                                Math.min(planes, rows.planes() - p),
                                rows.sourcePlaneStride(),
                                rows.targetPlaneStride());
                call.copy(
                        source,
                        fromPlane + r * rows.sourceStride(),
                        target,
                        toPlane + r * rows.targetStride(),
                        part);
            }
        }
    }

    /** {@return the most rows that one call may copy} */
    static long rowsOfCallMax(MemorySegment target, long rowBytes) {
        return target.isNative()
                ? Long.MAX_VALUE
                : HEAP_CALL_BYTES_MAX / Math.max(rowBytes, RowCopy.LINE_BYTES);
    }

    private static void call(
            MemorySegment source, long from, MemorySegment target, long to, RowPlanes rows) {
        if (isFar(rows.bytes(), target)) {
            MachineCodeRowCopy.copyNonTemporal(source, from, target, to, rows);
        } else {
            MachineCodeRowCopy.copyShort(source, from, target, to, rows);
        }
    }
}
