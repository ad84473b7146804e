package io.zarrengine.zarr.place;

import java.lang.foreign.MemorySegment;

/** Writes one element to all places of a {@link StridedBox}, for a chunk that was never written. */
public final class Fill {
    private Fill() {}

    /**
     * Fills a box.
     *
     * @param box the places in the target; its source is ignored
     * @param target of the region; native or heap memory
     * @param element one element, in native byte order
     */
    public static void fill(StridedBox box, MemorySegment target, MemorySegment element) {
        fill(box, 0, target, box.targetOffset(), element);
    }

    private static void fill(
            StridedBox box, int d, MemorySegment target, long at, MemorySegment element) {
        if (d < box.rank() - 1) {
            for (long i = 0; i < box.count(d); i++) {
                fill(box, d + 1, target, at + i * box.targetStride(d), element);
            }
            return;
        }
        long bytes = element.byteSize();
        long count = d < box.rank() ? box.count(d) : 1;
        long stride = d < box.rank() ? box.targetStride(d) : bytes;
        if (stride == bytes) {
            fillRun(target.asSlice(at, count * bytes), element);
        } else {
            for (long i = 0; i < count; i++) {
                MemorySegment.copy(element, 0, target, at + i * stride, bytes);
            }
        }
    }

    /**
     * Fills a run by doubling the filled part until it is full.
     *
     * @param run a whole number of elements, at least one
     * @param element one, in native byte order
     */
    public static void fillRun(MemorySegment run, MemorySegment element) {
        long done = element.byteSize();
        MemorySegment.copy(element, 0, run, 0, done);
        while (done < run.byteSize()) {
            long more = Math.min(done, run.byteSize() - done);
            MemorySegment.copy(run, 0, run, done, more);
            done += more;
        }
    }
}
