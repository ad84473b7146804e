package io.zarrengine.uring.ranges;

import io.zarrengine.uring.plan.FuseRule;
import io.zarrengine.uring.plan.ReadPlan;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ranges of files, and the offsets of their bytes in one target. A million ranges take 60 MB.
 *
 * <p>Ranges may be added in any order, and may touch and overlap; neighbours are read together.
 * Owner: its creator; one thread fills it. While it is being read it must not be changed, and the
 * target belongs to the reader. After that it may be cleared and filled again: it keeps its memory.
 */
public final class ReadBatch {
    private final MemorySegment target;
    private final List<Path> files = new ArrayList<>();
    private final ReadPlan plan = new ReadPlan();
    private final AtomicBoolean underWay = new AtomicBoolean();
    private long[] targetOffsets = new long[16];

    /**
     * Creates an empty batch.
     *
     * @param target native, mapped or heap memory that any thread may access
     */
    public ReadBatch(MemorySegment target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("the target is read-only");
        }
        this.target = target;
    }

    /**
     * Adds a file. The file is not opened yet.
     *
     * @param path a regular file
     * @return its number in this batch
     */
    public int addFile(Path path) {
        checkIsFree();
        files.add(path);
        return files.size() - 1;
    }

    /**
     * Adds a range.
     *
     * @param file from {@link #addFile}
     * @param offset offset of the range in the file, in bytes
     * @param bytes its length, {@code > 0}
     * @param targetOffset offset of its bytes in the target, in bytes
     * @throws IllegalArgumentException if a number is out of range, or the range does not fit in
     *     the target
     */
    public void add(int file, long offset, long bytes, long targetOffset) {
        checkIsFree();
        if (file >= files.size()) {
            throw new IllegalArgumentException("file " + file + " of " + files.size());
        }
        if (targetOffset < 0 || bytes > target.byteSize() - targetOffset) {
            throw new IllegalArgumentException(
                    bytes + " bytes to offset " + targetOffset + " of " + target.byteSize());
        }
        int range = plan.add(file, offset, bytes);
        if (range == targetOffsets.length) {
            targetOffsets = Arrays.copyOf(targetOffsets, 2 * range);
        }
        targetOffsets[range] = targetOffset;
    }

    /** Removes all files and ranges. */
    public void clear() {
        checkIsFree();
        files.clear();
        plan.clear();
    }

    /** {@return the number of ranges} */
    public int size() {
        return plan.rangeCount();
    }

    /** {@return the memory that receives the bytes} */
    public MemorySegment target() {
        return target;
    }

    /** Plans the reads. The batch must not be changed until {@link #end}. */
    void begin(FuseRule rule) {
        if (!underWay.compareAndSet(false, true)) {
            throw new IllegalStateException("the batch is being read already");
        }
        plan.arrange(rule);
    }

    void end() {
        underWay.set(false);
    }

    ReadPlan plan() {
        return plan;
    }

    Path file(int number) {
        return files.get(number);
    }

    /** Copies the parts of one read to the target. */
    void place(int read, MemorySegment source, long sourceOffset, long readOffset) {
        for (int part = plan.firstPart(read); part < plan.endPart(read); part++) {
            MemorySegment.copy(
                    source,
                    sourceOffset + plan.partOffset(part) - readOffset,
                    target,
                    targetOffsets[plan.range(part)] + plan.offsetInRange(part),
                    plan.partBytes(part));
        }
    }

    private void checkIsFree() {
        if (underWay.get()) {
            throw new IllegalStateException("the batch is being read");
        }
    }
}
