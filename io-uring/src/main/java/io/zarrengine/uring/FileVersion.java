package io.zarrengine.uring;

/**
 * Identifies one version of a file. Cached content of a file belongs to one version.
 *
 * @param identity device and inode, or the operating system's equivalent
 * @param byteSize length in bytes
 * @param modifiedSeconds modification time, seconds since the epoch
 * @param modifiedNanos its fraction of a second
 */
public record FileVersion(
        String identity, long byteSize, long modifiedSeconds, int modifiedNanos) {}
