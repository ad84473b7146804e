package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import java.io.IOException;
import java.nio.file.Path;

/** Opens a zip file again, always at the version that was opened first. Threads: any. */
interface ZipSource {
    /**
     * {@return the zip file, retained for the caller}
     *
     * @throws IOException if it cannot be opened, or has changed
     */
    FileHandle open() throws IOException;

    /**
     * {@return the zip file, retained for the caller}
     *
     * @param files opens it, if it is one of a file system
     * @throws IOException if it cannot be opened, or has changed
     */
    FileHandle open(Store.FileOpener files) throws IOException;

    /**
     * {@return bytes of the zip file, for which the calling thread waits}
     *
     * @param file from {@link #open()}
     * @param offset in bytes; the range must be inside the file
     * @param bytes how many
     * @throws IOException if it cannot be read, or has changed
     */
    byte[] read(FileHandle file, long offset, int bytes) throws IOException;

    /** {@return the chunks of an array if they are ranges of an object; null if of a file} */
    ChunkObjects objects(ZipStore zip, Path array);
}
