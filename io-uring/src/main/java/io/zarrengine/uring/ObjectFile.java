package io.zarrengine.uring;

import java.nio.file.Path;

/**
 * An object of a store that is no file system, for example one behind a URL. Queues cannot read it,
 * and nothing of it is in the page cache; its store reads it.
 */
public abstract non-sealed class ObjectFile extends FileHandle {
    /**
     * Creates the handle, retained once for the caller.
     *
     * @param path names the object in messages
     * @param version identifies this version of the object
     * @param alignment of its reads, in bytes, as {@link FileHandle#alignment}
     */
    protected ObjectFile(Path path, FileVersion version, int alignment) {
        super(path, version, Caching.DIRECT, alignment);
    }

    @Override
    public final boolean isObject() {
        return true;
    }

    @Override
    final void closeFile() {}
}
