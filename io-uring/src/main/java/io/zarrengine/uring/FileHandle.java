package io.zarrengine.uring;

import io.zarrengine.bindings.UseCount;
import java.nio.file.Path;

/**
 * An open file, shared by all its readers.
 *
 * <p>Owner: whoever retains it; {@link ReadBackend#open} retains it for the caller. The last {@link
 * #release} closes it, so a descriptor is never closed, and its number never reused, while a read
 * is in flight. Threads: any.
 */
public abstract sealed class FileHandle permits DescriptorFile, ChannelFile, ObjectFile {
    /**
     * Largest supported alignment, in bytes. It is used where the kernel does not report a smaller
     * one, and every file system accepts it. A file that needs more would be buffered; none is
     * known.
     */
    public static final int ALIGNMENT_MAX = 4096;

    private final Path path;
    private final FileVersion version;
    private final Caching caching;
    private final int alignment;
    private volatile boolean dropsBehind;
    private final UseCount users;

    FileHandle(Path path, FileVersion version, Caching caching, int alignment) {
        this.path = path;
        this.users = new UseCount(path);
        this.version = version;
        this.caching = caching;
        this.alignment = alignment;
        this.dropsBehind = caching == Caching.BUFFERED_ONCE;
    }

    /** {@return the path that the file was opened by} */
    public final Path path() {
        return path;
    }

    /** {@return the length of the file in bytes when it was opened} */
    public final long byteSize() {
        return version.byteSize();
    }

    /** {@return the version of the file} */
    public final FileVersion version() {
        return version;
    }

    /** {@return the way in which the file is read; never {@link Caching#AUTO}} */
    public final Caching caching() {
        return caching;
    }

    /**
     * {@return the alignment of offsets, lengths and addresses of its reads, in bytes: a power of
     * two, 1 for a buffered file}
     */
    public final int alignment() {
        return alignment;
    }

    /** {@return whether it is an {@link ObjectFile}, which no queue reads} */
    public boolean isObject() {
        return false;
    }

    /** {@return whether pages that its reads load are dropped from the page cache} */
    final boolean dropsBehind() {
        return dropsBehind;
    }

    /** Notes that the kernel cannot drop pages; returns whether this was not known before. */
    final boolean stopsDroppingBehind() {
        boolean before = dropsBehind;
        dropsBehind = false;
        return before;
    }

    /**
     * Keeps the file open until a matching {@link #release}.
     *
     * @throws IllegalStateException if the file is closed
     */
    public final void retain() {
        users.add();
    }

    /** {@return whether the file was open and is now retained until a matching release} */
    public final boolean tryRetain() {
        return users.tryAdd();
    }

    /**
     * Ends one {@link #retain} or {@link ReadBackend#open}.
     *
     * @throws IllegalStateException if the file is closed
     */
    public final void release() {
        if (users.removeIsLast()) {
            closeFile();
        }
    }

    /** Frees the resources of the operating system. Called once. */
    abstract void closeFile();

    @Override
    public final String toString() {
        return path.toString();
    }
}
