package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.MappedReader;
import io.zarrengine.uring.plan.FileParts;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.task.TaskRunner;

/** Copies from mapped files for one {@link TaskRunner}, and counts them. Threads: the runner's. */
final class MappedCopies {
    private final MappedReader reader; // null if files may not be mapped
    private final Metrics metrics;

    MappedCopies(MappedReader reader, Metrics metrics) {
        this.reader = reader;
        this.metrics = metrics;
    }

    /** See {@link TaskRunner#isMapped}. */
    boolean isMapped(FileHandle file) {
        return reader != null && reader.isMapped(file);
    }

    /** See {@link TaskRunner#copyNow}. */
    boolean copyNow(FileHandle file, FileParts parts, MappedReader.PartCopier copier) {
        boolean isCopied = reader != null && reader.copyNow(file, parts, copier);
        if (isCopied) {
            metrics.copiedNow(parts.count(), parts.byteSum());
        }
        return isCopied;
    }
}
