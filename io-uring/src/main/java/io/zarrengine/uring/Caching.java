package io.zarrengine.uring;

/**
 * The way in which the bytes of a file are read: through the page cache of the operating system, or
 * around it.
 */
public enum Caching {
    /** Through the page cache. Reading a part again costs a copy. */
    BUFFERED,

    /**
     * Through the page cache, and dropped from it after the read, so that a scan does not evict
     * pages of other programs. Pages that were cached before stay. Where the kernel or the file
     * system cannot do this (it needs RWF_DONTCACHE, Linux 6.14), it acts as {@link #BUFFERED}.
     */
    BUFFERED_ONCE,

    /**
     * Around the page cache (O_DIRECT): the device writes to the reader's memory. Offsets, lengths
     * and addresses must be multiples of {@link FileHandle#alignment}. Where the file system
     * refuses this, the file is {@link #BUFFERED}.
     */
    DIRECT,

    /**
     * Chosen for each file when it is opened. The file is read directly if both are true: the files
     * opened within the last half minute are larger than half of the memory that the page cache may
     * take, so it would not keep them until they are read again; and less than half of this file is
     * in the page cache, measured by a sample. Otherwise the file is buffered, because a copy is
     * cheaper than any device.
     */
    AUTO
}
