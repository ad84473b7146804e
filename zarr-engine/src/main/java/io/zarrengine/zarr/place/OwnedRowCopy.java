package io.zarrengine.zarr.place;

import io.zarrengine.bindings.MachineCodeRowCopy;
import io.zarrengine.bindings.Rows;
import java.lang.foreign.MemorySegment;

/**
 * Copies rows by machine code ({@link MachineCodeRowCopy}) where that is faster than Java: to a
 * target that no cache holds around the caches, rows of 512 bytes twice as fast as any other way;
 * else short rows, three times as fast (docs/decisions/short-rows.md). The target may not be a
 * mapped file.
 */
final class OwnedRowCopy {
    /** Larger than a cache that nobody tells the size of. */
    private static final long UNKNOWN_CACHE_BYTES = 32 << 20;

    /** What a cache holds is written there faster. A number of bytes is for tests. */
    static final long FAR_TARGET_BYTES_MIN =
            Long.getLong(
                    "io.zarrengine.nontemporal.target",
                    LastLevelCache.byteSize().orElse(UNKNOWN_CACHE_BYTES));

    /** Two lines of a cache. Shorter rows are lines of which others write the rest. */
    private static final long FAR_ROW_BYTES_MIN = 128;

    /** Of such rows what Java checks is little, but a page ahead is fetched for them. */
    private static final long SHORT_ROW_BYTES_MAX = 2 << 10;

    /** A call takes as long as Java takes for some rows. */
    private static final long SHORT_ROWS_MIN = 8;

    /**
     * Calls that count the target's users contend for that number: 16 cores that did so for each 4
     * KiB were half as fast as Java (docs/decisions/short-rows.md).
     */
    private static final long COUNTED_BYTES_MIN = 8 << 10;

    /**
     * A call that writes to the heap has the collector wait: for 20 to 140 us (2 cores, Zen 4). A
     * row counts as a line of a cache at least.
     */
    private static final long HEAP_CALL_BYTES_MAX = 256 << 10;

    private static final boolean READS_MAPPED_FILES = MachineCodeRowCopy.exposure().isEmpty();

    private OwnedRowCopy() {}

    /** {@return whether a box that has rows should be copied so} */
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

    /** {@return whether so much should be copied by one call, if the target is counted} */
    static boolean isWorthACall(long bytes, MemorySegment target) {
        return bytes >= COUNTED_BYTES_MIN || !MachineCodeRowCopy.isCounted(target);
    }

    /** {@return whether it should be copied so, because no cache holds the target} */
    static boolean takesFar(StridedBox box, MemorySegment target) {
        return isFar(box.rowBytes(), target) && canCopyTo(target, box.rowBytes());
    }

    /** {@return whether machine code may read it: a mapped file, which is read-only, not always} */
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

    /** What is copied by one call: the last three dimensions. */
    private static long rowsOfCall(StridedBox box) {
        long rows = 1;
        for (int d = Math.max(0, box.rank() - 3); d < box.rank() - 1; d++) {
            rows *= box.count(d);
        }
        return rows;
    }

    private static boolean isFar(long rowBytes, MemorySegment target) {
        return rowBytes >= FAR_ROW_BYTES_MIN && target.byteSize() >= FAR_TARGET_BYTES_MIN;
    }

    /** Copies a box that has rows. */
    static void copy(StridedBox box, MemorySegment source, MemorySegment target) {
        copy(box, 0, source, box.sourceOffset(), target, box.targetOffset());
    }

    /** All dimensions from {@code d} on; the last three at once. */
    private static void copy(
            StridedBox box, int d, MemorySegment source, long from, MemorySegment target, long to) {
        if (d >= box.rank() - 3) {
            copy(source, from, target, to, lastRows(box), Long.MAX_VALUE, OwnedRowCopy::call);
            return;
        }
        for (long i = 0; i < box.count(d); i++) {
            long fromHere = from + i * box.sourceStride(d);
            copy(box, d + 1, source, fromHere, target, to + i * box.targetStride(d));
        }
    }

    private static Rows lastRows(StridedBox box) {
        int row = box.rank() - 2;
        int plane = box.rank() - 3;
        return new Rows(
                box.rowBytes(),
                row < 0 ? 1 : box.count(row),
                row < 0 ? 0 : box.sourceStride(row),
                row < 0 ? 0 : box.targetStride(row),
                plane < 0 ? 1 : box.count(plane),
                plane < 0 ? 0 : box.sourceStride(plane),
                plane < 0 ? 0 : box.targetStride(plane));
    }

    /** Copies rows of bytes of a block. */
    static void copy(MemorySegment block, ElementRows rows) {
        copy(
                block,
                rows.from(),
                rows.target(),
                rows.to(),
                rows.ofBytes(),
                Long.MAX_VALUE,
                OwnedRowCopy::call);
    }

    /** A function of {@link MachineCodeRowCopy}. */
    @FunctionalInterface
    interface Call {
        void copy(MemorySegment source, long from, MemorySegment target, long to, Rows rows);
    }

    /**
     * By as many calls as it takes for none of them to be long.
     *
     * @param rowsMax how many rows of a plane are copied by one then
     */
    static void copy(
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            Rows rows,
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
                Rows part =
                        new Rows(
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

    /** {@return how many rows one call may copy} */
    static long rowsOfCallMax(MemorySegment target, long rowBytes) {
        return target.isNative()
                ? Long.MAX_VALUE
                : HEAP_CALL_BYTES_MAX / Math.max(rowBytes, RowCopy.LINE_BYTES);
    }

    private static void call(
            MemorySegment source, long from, MemorySegment target, long to, Rows rows) {
        if (isFar(rows.bytes(), target)) {
            MachineCodeRowCopy.copyNonTemporal(source, from, target, to, rows);
        } else {
            MachineCodeRowCopy.copyShort(source, from, target, to, rows);
        }
    }
}
