package io.zarrengine.uring;

/**
 * Tells one version of a file from another: what is cached of a file is of one version.
 *
 * @param identity device and inode, or what the operating system has in their place
 * @param byteSize length in bytes
 * @param modifiedSeconds modification time, seconds since the epoch
 * @param modifiedNanos its fraction of a second
 */
public record FileVersion(
        String identity, long byteSize, long modifiedSeconds, int modifiedNanos) {}
