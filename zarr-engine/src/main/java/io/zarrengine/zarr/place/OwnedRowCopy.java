package io.zarrengine.zarr.place;

import io.zarrengine.bindings.NativeRowCopy;
import io.zarrengine.bindings.Rows;
import java.lang.foreign.MemorySegment;

/**
 * Copies rows by machine code ({@link NativeRowCopy}) where that is faster than Java: to a target
 * that no cache holds around the caches, rows of 512 bytes twice as fast as any other way; else
 * short rows, three times as fast (docs/benchmarks.md). The target may not be a mapped file.
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
     * KiB were half as fast as Java (docs/benchmarks.md).
     */
    private static final long COUNTED_BYTES_MIN = 8 << 10;

    /** A call that writes to the heap has the collector wait: for 20 to 140 us (2 cores, Zen 4). */
    private static final long HEAP_CALL_BYTES_MAX = 256 << 10;

    private static final boolean READS_MAPPED_FILES = NativeRowCopy.exposure().isEmpty();

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
                && (rows * box.rowBytes() >= COUNTED_BYTES_MIN || !NativeRowCopy.isCounted(target));
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

    private static boolean canCopyTo(MemorySegment target, long rowBytes) {
        return !target.isMapped()
                && rowBytes <= callBytesMax(target)
                && NativeRowCopy.isAvailable();
    }

    private static long callBytesMax(MemorySegment target) {
        return target.isNative() ? Long.MAX_VALUE : HEAP_CALL_BYTES_MAX;
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

    /** All dimensions from {@code d} on; the last three at once, if a call may copy so much. */
    private static void copy(
            StridedBox box, int d, MemorySegment source, long from, MemorySegment target, long to) {
        int row = box.rank() - 2;
        if (d >= row - 1 && bytesFrom(box, d) <= callBytesMax(target)) {
            copy(source, from, target, to, allRows(box, d));
            return;
        }
        long step = d == row ? callBytesMax(target) / box.rowBytes() : 1;
        for (long i = 0; i < box.count(d); i += step) {
            long fromHere = from + i * box.sourceStride(d);
            long toHere = to + i * box.targetStride(d);
            if (d == row) {
                long rows = Math.min(step, box.count(d) - i);
                copy(source, fromHere, target, toHere, someRows(box, rows));
            } else {
                copy(box, d + 1, source, fromHere, target, toHere);
            }
        }
    }

    private static long bytesFrom(StridedBox box, int d) {
        long bytes = box.rowBytes();
        for (int i = d; i < box.rank() - 1; i++) {
            bytes *= box.count(i);
        }
        return bytes;
    }

    /** Some rows of a plane. */
    private static Rows someRows(StridedBox box, long rows) {
        int row = box.rank() - 2;
        return new Rows(
                box.rowBytes(), rows, box.sourceStride(row), box.targetStride(row), 1, 0, 0);
    }

    /** All of dimensions from {@code d} on. */
    private static Rows allRows(StridedBox box, int d) {
        int row = box.rank() - 2;
        int plane = box.rank() - 3;
        return new Rows(
                box.rowBytes(),
                row < d ? 1 : box.count(row),
                row < d ? 0 : box.sourceStride(row),
                row < d ? 0 : box.targetStride(row),
                plane < d ? 1 : box.count(plane),
                plane < d ? 0 : box.sourceStride(plane),
                plane < d ? 0 : box.targetStride(plane));
    }

    /** Copies rows of bytes of a block. */
    static void copy(MemorySegment block, ElementRows rows) {
        copy(
                block,
                rows.from(),
                rows.target(),
                rows.to(),
                new Rows(
                        rows.elements(), rows.rows(), rows.stride(), rows.targetStride(), 1, 0, 0));
    }

    private static void copy(
            MemorySegment source, long from, MemorySegment target, long to, Rows rows) {
        if (isFar(rows.bytes(), target)) {
            NativeRowCopy.copyNonTemporal(source, from, target, to, rows);
        } else {
            NativeRowCopy.copyShort(source, from, target, to, rows);
        }
    }
}
