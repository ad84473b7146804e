package io.zarrengine.uring;

import io.zarrengine.bindings.FileStatus;
import java.lang.foreign.Arena;
import java.util.Optional;

/**
 * Asks, again and again, whether open files have changed. Owner: who made it. Threads: one at a
 * time.
 */
public final class FileChanges implements AutoCloseable {
    /**
     * What tells a file from what it was before: also the time that nobody can set.
     *
     * @param byteSize its length in bytes
     * @param modifiedSeconds when it was written to last, seconds since the epoch
     * @param modifiedNanos the fraction of a second of that
     * @param changedSeconds when it, or what is known of it, was changed last, as above
     * @param changedNanos the fraction of a second of that
     */
    public record Stamp(
            long byteSize,
            long modifiedSeconds,
            int modifiedNanos,
            long changedSeconds,
            int changedNanos) {
        /**
         * {@return whether this is the file that a handle was opened for}
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
         * {@return whether nothing has changed since another one} What a record is compared with by
         * itself takes longer than asking the kernel.
         *
         * @param before of the same file
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

    /** Allocates what the kernel answers to. */
    public FileChanges() {}

    /**
     * {@return what a file is like now; empty if the kernel does not say} It asks by a native call:
     * if the thread accessed a mapping where there is nothing of the file any more, the JVM says so
     * now at the latest.
     *
     * @param file an open file, which stays open meanwhile
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
