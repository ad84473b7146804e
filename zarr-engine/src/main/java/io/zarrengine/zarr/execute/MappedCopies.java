package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.MappedReader;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** What a runner of tasks copies from mapped files, counted. Threads: one at a time. */
final class MappedCopies {
    private final MappedReader reader; // null: no file may be mapped
    private final Metrics metrics;

    MappedCopies(MappedReader reader, Metrics metrics) {
        this.reader = reader;
        this.metrics = metrics;
    }

    /** See {@link TaskRunner#copyNow}. */
    boolean copyNow(FileHandle file, long fileOffset, long bytes, Consumer<MemorySegment> copier) {
        boolean isCopied = reader != null && reader.copyNow(file, fileOffset, bytes, copier);
        if (isCopied) {
            metrics.copiedNow(bytes);
        }
        return isCopied;
    }
}
