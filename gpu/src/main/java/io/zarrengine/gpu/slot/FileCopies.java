package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.CopyBatch;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.gpu.chunk.ChunkBytes;
import io.zarrengine.gpu.chunk.CopySource;
import java.util.ArrayList;
import java.util.List;

/**
 * The copies that a device makes from registered files and from landing memory. Chunks that follow
 * one another there also do so on the device, and become one copy. Owner: a slot's.
 */
public final class FileCopies {
    /**
     * A copy within one window of its source.
     *
     * @param source the memory to copy from
     * @param offset the first byte in the source
     * @param at the first byte in the target, counted from the first byte of all copies
     * @param bytes the length in bytes
     */
    record Run(CopySource source, long offset, long at, long bytes) {
        /** Returns whether a byte continues this run both in the source and in the target. */
        private boolean isFollowedBy(CopySource other, long next, long to) {
            return source.equals(other) && offset + bytes == next && at + bytes == to;
        }

        /** Returns whether the next byte of the source is in the same window. */
        private boolean isOpen() {
            return source.windowEnd(offset) > offset + bytes;
        }

        private Run and(long more) {
            return new Run(source, offset, at, bytes + more);
        }
    }

    private final List<Run> runs = new ArrayList<>();
    private final ArrayList<CopySource> sources = new ArrayList<>(); // one for each retention
    private long used; // bytes on the device
    private long lentBytes; // of these, bytes of lent memory

    /** {@return the bytes that all copies take on the device, with gaps} */
    public long byteSize() {
        return used;
    }

    /** {@return the bytes that are copied from memory lent to reads} */
    public long lentBytes() {
        return lentBytes;
    }

    /** {@return the bytes that are copied} */
    public long copiedBytes() {
        return runs.stream().mapToLong(Run::bytes).sum();
    }

    public List<Run> runs() {
        return runs;
    }

    /** {@return the offset on the device that the next bytes would get} */
    long place(ChunkBytes chunk) {
        boolean isNext =
                chunk.mayLieAt(used) && follows(chunk.source(), chunk.sourceOffset(), used);
        return isNext ? used : chunk.firstFrom(used);
    }

    private boolean follows(CopySource source, long offset, long to) {
        return !runs.isEmpty() && runs.getLast().isFollowedBy(source, offset, to);
    }

    /**
     * Adds bytes, and retains their source until {@link #release}.
     *
     * @param at the offset that {@link #place} returned
     */
    public void add(ChunkBytes chunk, long at) {
        CopySource source = chunk.source();
        if (sources.isEmpty() || !sources.getLast().equals(source)) {
            sources.ensureCapacity(sources.size() + 1); // before the source is retained
            source.retain();
            sources.add(source);
        }
        long to = at;
        long from = chunk.sourceOffset();
        long end = from + chunk.byteSize();
        while (from < end) {
            long bytes = Math.min(end, source.windowEnd(from)) - from;
            if (follows(source, from, to) && runs.getLast().isOpen()) {
                runs.set(runs.size() - 1, runs.getLast().and(bytes));
            } else {
                runs.add(new Run(source, from, to, bytes));
            }
            from += bytes;
            to += bytes;
        }
        used = to;
        lentBytes += source.isLent() ? chunk.byteSize() : 0;
    }

    /** Queues the copies. */
    public void queue(CopyBatch batch, CudaStream stream, DeviceSlice target) throws CudaException {
        for (Run run : runs) {
            if (batch.isFull()) {
                batch.submit(stream);
            }
            batch.add(
                    run.source.segment().asSlice(run.offset, run.bytes),
                    target.slice(run.at, run.bytes));
        }
        batch.submit(stream);
    }

    /** Releases the sources. The copies are done, or will never be. */
    public void release() {
        sources.forEach(CopySource::release);
        sources.clear();
        runs.clear();
    }
}
