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
 * What a device is to copy of registered files, and of memory that files were read to: chunks that
 * follow one another there do so on the device too, and are one copy. Owner: a slot's.
 */
public final class FileCopies {
    /**
     * A copy. It lies in one window of its source.
     *
     * @param source of what
     * @param offset where it begins in that, in bytes
     * @param at where it goes, from the first byte of all on
     * @param bytes how long it is
     */
    record Run(CopySource source, long offset, long at, long bytes) {
        /** Whether a byte of a source that goes somewhere is the next one of both. */
        private boolean isFollowedBy(CopySource other, long next, long to) {
            return source.equals(other) && offset + bytes == next && at + bytes == to;
        }

        /** Whether the next byte of the source is in the same window. */
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
    private long lentBytes; // of them, those that lie where they were read to

    /** {@return bytes that all of it takes on the device} */
    public long byteSize() {
        return used;
    }

    /** {@return bytes of memory that was lent to reads} */
    public long lentBytes() {
        return lentBytes;
    }

    /** {@return bytes that are copied} */
    public long copiedBytes() {
        return runs.stream().mapToLong(Run::bytes).sum();
    }

    public List<Run> runs() {
        return runs;
    }

    /** {@return where the next bytes would go} */
    long place(ChunkBytes chunk) {
        boolean isNext =
                chunk.mayLieAt(used) && follows(chunk.source(), chunk.sourceOffset(), used);
        return isNext ? used : chunk.firstFrom(used);
    }

    private boolean follows(CopySource source, long offset, long to) {
        return !runs.isEmpty() && runs.getLast().isFollowedBy(source, offset, to);
    }

    /**
     * Adds bytes; their source is kept as it is until {@link #release}.
     *
     * @param at their {@link #place}
     */
    public void add(ChunkBytes chunk, long at) {
        CopySource source = chunk.source();
        if (sources.isEmpty() || !sources.getLast().equals(source)) {
            sources.ensureCapacity(sources.size() + 1); // Before it is retained.
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

    /** The copies are done, or never will be. */
    public void release() {
        sources.forEach(CopySource::release);
        sources.clear();
        runs.clear();
    }
}
