package io.zarrengine.uring;

/** Which way a file's bytes take: through the page cache of the operating system, or around it. */
public enum Caching {
    /** Through the page cache. What is read again costs a copy. */
    BUFFERED,

    /**
     * Through the page cache, and out of it again: a scan that leaves alone what others have there.
     * What was in the cache before stays. Where the kernel or the file system cannot do that (Linux
     * 6.14, RWF_DONTCACHE), it is {@link #BUFFERED}.
     */
    BUFFERED_ONCE,

    /**
     * Around the page cache, O_DIRECT: the device writes to the reader's memory. Offsets, lengths
     * and addresses must be multiples of {@link FileHandle#alignment}. Where the file system
     * refuses it, the file is {@link #BUFFERED}.
     */
    DIRECT,

    /**
     * Chosen for each file when it is opened. Direct, if the files that were opened within the last
     * half minute take more than half of the memory that the page cache may have, since it would
     * not hold them until they are read again, and less than half of this one is in the page cache,
     * by a sample; else buffered, since a copy is cheaper than any device.
     */
    AUTO
}
