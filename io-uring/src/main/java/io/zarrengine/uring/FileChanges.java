package io.zarrengine.uring;

import io.zarrengine.bindings.FileStatus;
import java.lang.foreign.Arena;
import java.util.Optional;

/**
 * Checks repeatedly whether open files have changed. Owner: its creator. Threads: one at a time.
 */
public final class FileChanges implements AutoCloseable {
    /**
     * The metadata that tells two states of a file apart. It includes the change time, which
     * programs cannot set.
     *
     * @param byteSize its length in bytes
     * @param modifiedSeconds last modification of the content, seconds since the epoch
     * @param modifiedNanos its fraction of a second
     * @param changedSeconds last change of the content or the metadata, seconds since the epoch
     * @param changedNanos its fraction of a second
     */
    public record Stamp(
            long byteSize,
            long modifiedSeconds,
            int modifiedNanos,
            long changedSeconds,
            int changedNanos) {
        /**
         * {@return whether the file is as it was when a handle was opened}
         *
         * @param file an open file
         */
        public boolean isOf(FileHandle file) {
            FileVersion version = file.version();
            return byteSize == version.byteSize()
                    && modifiedSeconds == version.modifiedSeconds()
                    && modifiedNanos == version.modifiedNanos();
        }

        /**
         * {@return whether nothing has changed since an earlier stamp} The generated {@code equals}
         * of a record takes longer than the system call.
         *
         * @param before an earlier stamp of the same file
         */
        public boolean isSameAs(Stamp before) {
            return byteSize == before.byteSize
                    && modifiedSeconds == before.modifiedSeconds
                    && modifiedNanos == before.modifiedNanos
                    && changedSeconds == before.changedSeconds
                    && changedNanos == before.changedNanos;
        }
    }

    private final Arena arena = Arena.ofShared();
    private final FileStatus.Size asking = new FileStatus.Size(arena);

    /** Allocates the memory for the kernel's answers. */
    public FileChanges() {}

    /**
     * {@return the current stamp of a file; empty if the kernel does not report it} The native call
     * also makes the JVM throw the error of an earlier access to a mapping whose file was
     * truncated, if it has not thrown it yet.
     *
     * @param file an open file; it must stay open during the call
     * @throws InternalError if an access to a mapping failed
     */
    public Optional<Stamp> stamp(FileHandle file) {
        if (!(file instanceof DescriptorFile opened)) {
            return Optional.empty();
        }
        long byteSize = asking.of(opened.descriptor());
        return byteSize < 0
                ? Optional.empty()
                : Optional.of(
                        new Stamp(
                                byteSize,
                                asking.modifiedSeconds(),
                                asking.modifiedNanos(),
                                asking.changedSeconds(),
                                asking.changedNanos()));
    }

    @Override
    public void close() {
        arena.close();
    }
}
