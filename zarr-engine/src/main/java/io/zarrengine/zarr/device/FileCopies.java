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
    private static final class Run {
        final RegisteredFile file;
        final long fileOffset;
        final long at;
        long bytes;

        Run(RegisteredFile file, long fileOffset, long at, long bytes) {
            this.file = file;
            this.fileOffset = fileOffset;
            this.at = at;
            this.bytes = bytes;
        }

        boolean isFollowedBy(ChunkBytes chunk) {
            return file.equals(chunk.file()) && fileOffset + bytes == chunk.fileOffset();
        }
    }

    private final List<Run> runs = new ArrayList<>();
    private final List<RegisteredFile> files = new ArrayList<>(); // one for each retention
    private long used; // bytes on the device

    /** {@return bytes that all of it takes on the device} */
    long byteSize() {
        return used;
    }

    /** {@return where the next bytes would go} */
    long place(ChunkBytes chunk) {
        boolean isNext =
                !runs.isEmpty() && runs.getLast().isFollowedBy(chunk) && chunk.mayLieAt(used);
        return isNext ? used : chunk.firstFrom(used);
    }

    /** Adds bytes at their {@link #place}; their file is kept as it is until {@link #release}. */
    void add(ChunkBytes chunk) {
        if (files.isEmpty() || !files.getLast().equals(chunk.file())) {
            chunk.file().retain();
            files.add(chunk.file());
        }
        long at = place(chunk);
        long from = chunk.fileOffset();
        long end = from + chunk.byteSize();
        if (at == used && !runs.isEmpty() && runs.getLast().isFollowedBy(chunk)) {
            long joined = Math.min(end, RegisteredFile.windowEnd(from)) - from;
            boolean isSameWindow = from % RegisteredFile.WINDOW_BYTES != 0;
            if (isSameWindow) {
                runs.getLast().bytes += joined;
                from += joined;
            }
        }
        while (from < end) { // A copy lies in one registration.
            long bytes = Math.min(end, RegisteredFile.windowEnd(from)) - from;
            runs.add(new Run(chunk.file(), from, at + from - chunk.fileOffset(), bytes));
            from += bytes;
        }
        used = at + chunk.byteSize();
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
