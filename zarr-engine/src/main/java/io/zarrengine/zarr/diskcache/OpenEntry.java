package io.zarrengine.zarr.diskcache;

import io.zarrengine.uring.FileHandle;
import java.nio.file.Path;

/** An open file of the cache. Its file is retained by who holds it. Threads: any. */
final class OpenEntry {
    private final Path path;
    private final FileHandle file;
    private final EntryHeader header;
    private volatile long checkedNanos = System.nanoTime();
    private volatile long usedSeconds; // since the epoch, as the file system has it

    OpenEntry(Path path, FileHandle file, EntryHeader header) {
        this.path = path;
        this.file = file;
        this.header = header;
        this.usedSeconds = file.version().modifiedSeconds();
    }

    Path path() {
        return path;
    }

    FileHandle file() {
        return file;
    }

    EntryHeader header() {
        return header;
    }

    /** {@return how long ago it was found to be the file of its path, in ns} */
    long ageNanos() {
        return System.nanoTime() - checkedNanos;
    }

    void setChecked() {
        checkedNanos = System.nanoTime();
    }

    long usedSeconds() {
        return usedSeconds;
    }

    void setUsed(long seconds) {
        usedSeconds = seconds;
    }
}
