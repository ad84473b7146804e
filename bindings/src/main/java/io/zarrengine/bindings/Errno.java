package io.zarrengine.bindings;

/**
 * The errno values that this engine acts on or names in messages.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/errno.3.html">errno(3)</a>, and the numbers
 *     in Linux {@code asm-generic/errno-base.h} and {@code errno.h}
 */
public final class Errno {
    /** Operation not permitted: for io_uring, a sysctl or a seccomp filter forbids the call. */
    public static final int EPERM = 1;

    /** No such file or directory. */
    public static final int ENOENT = 2;

    /** Interrupted by a signal: try again. */
    public static final int EINTR = 4;

    /** I/O error: the device failed. */
    public static final int EIO = 5;

    /** No such device or address: a special file without a device. */
    public static final int ENXIO = 6;

    /** Bad file descriptor. */
    public static final int EBADF = 9;

    /** No data now, or no resources now: try again. */
    public static final int EAGAIN = 11;

    /** Out of memory; for registered buffers, above RLIMIT_MEMLOCK. */
    public static final int ENOMEM = 12;

    /** Permission denied. */
    public static final int EACCES = 13;

    /** Bad address: part of a buffer is not mapped. */
    public static final int EFAULT = 14;

    /** Busy: for io_uring_enter, completions must be reaped first. */
    public static final int EBUSY = 16;

    /** Exists; for io_uring_enter, the ring belongs to another thread. */
    public static final int EEXIST = 17;

    /** A part of the path is not a directory. */
    public static final int ENOTDIR = 20;

    /** Is a directory. */
    public static final int EISDIR = 21;

    /** Bad argument; for O_DIRECT usually a misaligned buffer, offset or length. */
    public static final int EINVAL = 22;

    /** Too many open files in the system. */
    public static final int ENFILE = 23;

    /** Too many open files in this process. */
    public static final int EMFILE = 24;

    /** No such system call: an old kernel or a filter. */
    public static final int ENOSYS = 38;

    /** No space left on the device. */
    public static final int ENOSPC = 28;

    /** A name is too long. */
    public static final int ENAMETOOLONG = 36;

    /** Too many symbolic links. */
    public static final int ELOOP = 40;

    /** Not supported by this file or file system. */
    public static final int EOPNOTSUPP = 95;

    /** Stale file handle, on network file systems. */
    public static final int ESTALE = 116;

    /** Cancelled. */
    public static final int ECANCELED = 125;

    private Errno() {}

    /**
     * {@return the symbolic name, e.g. {@code "EIO"}, or {@code "E"} and the number}
     *
     * @param errno a positive errno
     */
    public static String name(long errno) {
        return switch ((int) errno) {
            case EPERM -> "EPERM";
            case ENOENT -> "ENOENT";
            case EINTR -> "EINTR";
            case EIO -> "EIO";
            case ENXIO -> "ENXIO";
            case EBADF -> "EBADF";
            case EAGAIN -> "EAGAIN";
            case ENOMEM -> "ENOMEM";
            case EACCES -> "EACCES";
            case EFAULT -> "EFAULT";
            case EBUSY -> "EBUSY";
            case EEXIST -> "EEXIST";
            case ENOTDIR -> "ENOTDIR";
            case EISDIR -> "EISDIR";
            case EINVAL -> "EINVAL";
            case ENFILE -> "ENFILE";
            case EMFILE -> "EMFILE";
            case ENOSYS -> "ENOSYS";
            case ENOSPC -> "ENOSPC";
            case ENAMETOOLONG -> "ENAMETOOLONG";
            case ELOOP -> "ELOOP";
            case EOPNOTSUPP -> "EOPNOTSUPP";
            case ESTALE -> "ESTALE";
            case ECANCELED -> "ECANCELED";
            default -> "E" + errno;
        };
    }

    /**
     * {@return the meaning of an errno and its symbolic name, such as {@code "permission denied
     * (EACCES)"}; the name alone if words would not add anything}
     *
     * @param errno a positive errno
     */
    public static String words(long errno) {
        String words =
                switch ((int) errno) {
                    case EPERM -> "not permitted";
                    case ENOENT -> "there is no such file";
                    case EIO -> "the device failed to read or write";
                    case ENOMEM -> "there is not enough memory";
                    case EACCES -> "permission denied";
                    case ENOTDIR -> "a part of the path is not a folder";
                    case EISDIR -> "is a folder";
                    case ENFILE, EMFILE -> "too many files are open";
                    case ELOOP -> "too many symbolic links";
                    case ESTALE -> "the file was replaced on its network file system";
                    default -> "";
                };
        return words.isEmpty() ? name(errno) : words + " (" + name(errno) + ")";
    }
}
