package io.zarrengine.uring;

import io.zarrengine.bindings.UseCount;
import java.nio.file.Path;

/**
 * An open file, shared by everyone who reads it.
 *
 * <p>Owner: whoever retains it; {@link ReadBackend#open} retains it for the caller. The last {@link
 * #release} closes it. So a descriptor is never closed, and its number never reused, while a read
 * is under way. Threads: any.
 */
public abstract sealed class FileHandle permits DescriptorFile, ChannelFile {
    /**
     * No file needs more. It is what every file system takes where the kernel does not tell less; a
     * file with larger blocks, if there ever is one, is buffered.
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

    /** {@return the path it was opened by} */
    public final Path path() {
        return path;
    }

    /** {@return its length in bytes when it was opened} */
    public final long byteSize() {
        return version.byteSize();
    }

    /** {@return which version of the file this is} */
    public final FileVersion version() {
        return version;
    }

    /** {@return which way its bytes take; never {@link Caching#AUTO}} */
    public final Caching caching() {
        return caching;
    }

    /**
     * {@return what offsets, lengths and addresses of its reads must be multiples of, in bytes: a
     * power of two, 1 for a buffered file}
     */
    public final int alignment() {
        return alignment;
    }

    /** {@return whether what its reads bring to the page cache leaves it again} */
    final boolean dropsBehind() {
        return dropsBehind;
    }

    /** Notes that the kernel cannot drop behind; returns whether that is news. */
    final boolean stopsDroppingBehind() {
        boolean before = dropsBehind;
        dropsBehind = false;
        return before;
    }

    /**
     * Keeps the file open until a matching {@link #release}.
     *
     * @throws IllegalStateException if it is closed already
     */
    public final void retain() {
        users.add();
    }

    /** {@return whether the file is open, and then stays open until a matching release} */
    public final boolean tryRetain() {
        return users.tryAdd();
    }

    /**
     * Gives up what {@link #retain} or {@link ReadBackend#open} gave.
     *
     * @throws IllegalStateException if it is closed already
     */
    public final void release() {
        if (users.removeIsLast()) {
            closeFile();
        }
    }

    /** Frees what the operating system holds. Called once. */
    abstract void closeFile();

    @Override
    public final String toString() {
        return path.toString();
    }
}
