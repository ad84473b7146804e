package io.zarrengine.uring;

/**
 * Identifies one version of a file. Cached content of a file belongs to one version.
 *
 * @param identity device and inode, or the operating system's equivalent
 * @param byteSize length in bytes
 * @param modifiedSeconds modification time, seconds since the epoch
 * @param modifiedNanos its fraction of a second
 */
public record FileVersion(String identity, long byteSize, long modifiedSeconds, int modifiedNanos) {
    /** Written out, as is equality: to link those of the record takes 5 ms of a new process. */
    @Override
    public int hashCode() {
        return 31 * (31 * identity.hashCode() + Long.hashCode(byteSize))
                + Long.hashCode(modifiedSeconds ^ modifiedNanos);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileVersion version
                && identity.equals(version.identity)
                && byteSize == version.byteSize
                && modifiedSeconds == version.modifiedSeconds
                && modifiedNanos == version.modifiedNanos;
    }
}
