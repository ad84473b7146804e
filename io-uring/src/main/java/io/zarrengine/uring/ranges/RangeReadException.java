package io.zarrengine.uring.ranges;

import java.io.IOException;
import java.nio.file.Path;

/** A range that could not be read. The message names the file, the range and the cause. */
public final class RangeReadException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Path path;
    private final long offset;
    private final long bytes;

    RangeReadException(Path path, long offset, long bytes, String reason, Throwable cause) {
        super(path + " at byte " + offset + ", " + bytes + " bytes: " + reason, cause);
        this.path = path;
        this.offset = offset;
        this.bytes = bytes;
    }

    /** {@return the file; null after serialization} */
    public Path path() {
        return path;
    }

    /** {@return the offset of the range in the file, in bytes} */
    public long offset() {
        return offset;
    }

    /** {@return the length of the range in bytes} */
    public long bytes() {
        return bytes;
    }
}
