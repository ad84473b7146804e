package io.zarrengine.bindings;

import java.io.IOException;

/** Thrown if a system call or an io_uring completion fails with an errno. */
public final class ErrnoException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Creates the exception for a failed call. The caller tests {@code if (result < 0)} first, so
     * that a success never pays for the message.
     *
     * @param call the C function or io_uring opcode, e.g. {@code "preadv"}
     * @param subject of the call: path, offset and length in bytes
     * @param result the native result, {@code -errno}
     */
    public ErrnoException(String call, String subject, long result) {
        super(call + "(" + subject + "): " + Errno.name(-result) + " (errno " + -result + ")");
        assert result < 0 && result >= -4095 : "not a negated errno: " + result;
        this.errno = (int) -result;
    }

    /** {@return the errno, positive, as in {@code errno-base.h}} */
    public int errno() {
        return errno;
    }
}
