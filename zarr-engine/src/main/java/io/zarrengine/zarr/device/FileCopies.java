package io.zarrengine.zarr.device;

import io.zarrengine.cuda.CopyBatch;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import java.util.ArrayList;
import java.util.List;

/**
 * What a device is to copy of registered files: chunks that follow one another there do so on the
 * device too, and are one copy. Owner: a slot's.
 */
final class FileCopies {
    /**
     * A copy. It lies in one window of its file.
     *
     * @param file which
     * @param fileOffset where it begins in the file, in bytes
     * @param at where it goes, from the first byte of all on
     * @param bytes how long it is
     */
    record Run(RegisteredFile file, long fileOffset, long at, long bytes) {
        /** Whether a byte of a file that goes somewhere is the next one of both. */
        private boolean isFollowedBy(RegisteredFile other, long offset, long to) {
            return file.equals(other) && fileOffset + bytes == offset && at + bytes == to;
        }

        private Run and(long more) {
            return new Run(file, fileOffset, at, bytes + more);
        }
    }

    private final List<Run> runs = new ArrayList<>();
    private final List<RegisteredFile> files = new ArrayList<>(); // one for each retention
    private long used; // bytes on the device

    /** {@return bytes that all of it takes on the device} */
    long byteSize() {
        return used;
    }

    /** {@return bytes that are copied} */
    long copiedBytes() {
        return runs.stream().mapToLong(Run::bytes).sum();
    }

    List<Run> runs() {
        return runs;
    }

    /** {@return where the next bytes would go} */
    long place(ChunkBytes chunk) {
        boolean isNext = chunk.mayLieAt(used) && follows(chunk.file(), chunk.fileOffset(), used);
        return isNext ? used : chunk.firstFrom(used);
    }

    private boolean follows(RegisteredFile file, long offset, long to) {
        return !runs.isEmpty() && runs.getLast().isFollowedBy(file, offset, to);
    }

    /**
     * Adds bytes; their file is kept as it is until {@link #release}.
     *
     * @param at their {@link #place}
     */
    void add(ChunkBytes chunk, long at) {
        RegisteredFile file = chunk.file();
        if (files.isEmpty() || !files.getLast().equals(file)) {
            file.retain();
            files.add(file);
        }
        long to = at;
        long from = chunk.fileOffset();
        long end = from + chunk.byteSize();
        while (from < end) {
            long bytes = Math.min(end, RegisteredFile.windowEnd(from)) - from;
            boolean isInside = from % RegisteredFile.WINDOW_BYTES != 0;
            if (isInside && follows(file, from, to)) {
                runs.set(runs.size() - 1, runs.getLast().and(bytes));
            } else {
                runs.add(new Run(file, from, to, bytes));
            }
            from += bytes;
            to += bytes;
        }
        used = to;
    }

    /** Queues the copies. */
    void queue(CopyBatch batch, CudaStream stream, DeviceSlice target) throws CudaException {
        for (Run run : runs) {
            if (batch.isFull()) {
                batch.submit(stream);
            }
            batch.add(
                    run.file.segment().asSlice(run.fileOffset, run.bytes),
                    target.slice(run.at, run.bytes));
        }
        batch.submit(stream);
    }

    /** The copies are done, or never will be. */
    void release() {
        files.forEach(RegisteredFile::release);
        files.clear();
        runs.clear();
    }
}
