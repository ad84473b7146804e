package io.zarrengine.bindings;

import static io.zarrengine.bindings.Downcalls.number;
import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemorySegment.NULL;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Set;

/**
 * Downcalls into libc: one handle and one method per C function, under its C name. Linux only.
 *
 * <p>Each method returns what the kernel returns: {@code >= 0} on success, {@code -errno} on
 * failure. An io_uring CQE has the same form, so {@link ErrnoException} serves both. No method
 * throws for an operating error, because the caller knows the path or the offset for the message.
 *
 * <p>{@code callState} receives errno. Its owner allocates it once and never shares it between
 * threads: with a shared one, a failure of one thread would overwrite that of another.
 *
 * <p>Must not be used while {@link NativeAccess#denial()} is present.
 */
public final class LibC {
    /** {@code O_RDONLY | O_CLOEXEC}, from {@code asm-generic/fcntl.h}. */
    public static final int O_RDONLY_CLOEXEC = 0x80000;

    /**
     * Does not wait when opening, e.g. for the other end of a pipe; {@code asm-generic/fcntl.h}.
     */
    public static final int O_NONBLOCK = 0x800;

    /** Closes the descriptor in a new program; from {@code sys/eventfd.h}. */
    public static final int EFD_CLOEXEC = 0x80000;

    /**
     * Bypasses the page cache: {@code O_DIRECT}, the only flag of open(2) that differs between
     * architectures.
     */
    public static final int O_DIRECT =
            switch (System.getProperty("os.arch")) {
                case "aarch64", "arm" -> 0x10000; // arch/arm64/include/uapi/asm/fcntl.h
                default -> 0x4000; // asm-generic/fcntl.h
            };

    /** Sets the flags of an open file; from {@code asm-generic/fcntl.h}. */
    public static final int F_SETFL = 4;

    /** Makes a read that would wait return EAGAIN; from {@code linux/fs.h}. */
    public static final int RWF_NOWAIT = 0x8;

    /** Drops the pages that a read brings to the page cache; {@code linux/fs.h}, Linux 6.14. */
    public static final int RWF_DONTCACHE = 0x80;

    /** Disables readahead, for reads in random order; from {@code linux/fadvise.h}. */
    public static final int POSIX_FADV_RANDOM = 1;

    /** Drops pages from the page cache that are not needed again. */
    public static final int POSIX_FADV_DONTNEED = 4;

    private static final long SYS_CACHESTAT = 451; // on every machine, Linux 6.5

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(groupElement("errno"));

    private static final boolean IS_SAME_IF_VARIADIC =
            System.getProperty("os.name").equals("Linux")
                    && Set.of("amd64", "aarch64").contains(System.getProperty("os.arch"));

    private static final Linker.Option ERRNO_OPTION = Linker.Option.captureCallState("errno");

    // int open(const char *pathname, int flags, ...)
    private static final MethodHandle OPEN = linkVariadic("open", 2);

    // int close(int fd)
    private static final MethodHandle CLOSE = link("close");

    // ssize_t preadv(int fd, const struct iovec *iov, int iovcnt, off_t offset)
    private static final MethodHandle PREADV = link("preadv");

    // ssize_t preadv2(int fd, const struct iovec *iov, int iovcnt, off_t offset, int flags)
    private static final MethodHandle PREADV2 = link("preadv2");

    // int fcntl(int fd, int cmd, ...)
    private static final MethodHandle FCNTL = linkVariadic("fcntl", 2);

    // int posix_fadvise(int fd, off_t offset, off_t len, int advice)
    private static final MethodHandle POSIX_FADVISE = link("posix_fadvise");

    // long syscall(long number, ...), for
    // int cachestat(unsigned int fd, struct cachestat_range *, struct cachestat *, unsigned flags)
    private static final MethodHandle SYSCALL = linkVariadic("syscall", 1);

    // ssize_t write(int fd, const void *buf, size_t count)
    private static final MethodHandle WRITE = link("write");

    // int statx(int dirfd, const char *pathname, int flags, unsigned int mask, struct statx *buf)
    private static final MethodHandle STATX = link("statx");

    // int sigaction(int signum, const struct sigaction *act, struct sigaction *oldact)
    private static final MethodHandle SIGACTION = link("sigaction");

    // uid_t geteuid(void)
    private static final MethodHandle GETEUID = Downcalls.link("geteuid", Downcalls.SHAPE);

    // int eventfd(unsigned int initval, int flags)
    private static final MethodHandle EVENTFD = link("eventfd");

    private LibC() {}

    /**
     * {@return memory for errno, one per thread}
     *
     * @param allocator of the memory
     */
    public static MemorySegment newCallState(SegmentAllocator allocator) {
        return allocator.allocate(CALL_STATE);
    }

    /**
     * Opens a file, as open(2).
     *
     * @param callState receives errno
     * @param path NUL-terminated
     * @param flags {@code O_*}
     * @return a file descriptor or -errno
     */
    public static int open(MemorySegment callState, MemorySegment path, int flags) {
        try {
            int fd =
                    (int)
                            (long)
                                    OPEN.invokeExact(
                                            callState,
                                            path.address(),
                                            number(flags),
                                            0L,
                                            0L,
                                            0L,
                                            path);
            return fd >= 0 ? fd : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("open", t);
        }
    }

    /**
     * Closes a file descriptor, as close(2).
     *
     * @param callState receives errno
     * @param fd the descriptor; gone afterwards, also on failure
     * @return 0 or -errno
     */
    public static int close(MemorySegment callState, int fd) {
        try {
            int result =
                    (int) (long) CLOSE.invokeExact(callState, (long) fd, NULL, 0L, 0L, 0L, NULL);
            return result == 0 ? 0 : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("close", t);
        }
    }

    /**
     * Closes a file descriptor that was not written to, and ignores the result of close(2): the
     * descriptor is gone in any case.
     *
     * @param fd the descriptor
     */
    public static void close(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            close(newCallState(arena), fd);
        }
    }

    /**
     * Reads at an offset into several buffers, as preadv(2).
     *
     * @param callState receives errno
     * @param fd the file
     * @param vectors {@code struct iovec[count]}, see {@link IoVector}
     * @param count number of vectors, at most 1024
     * @param offset in the file, in bytes
     * @return bytes read, 0 at the end of the file, or -errno
     */
    public static long preadv(
            MemorySegment callState, int fd, MemorySegment vectors, int count, long offset) {
        try {
            long read =
                    (long)
                            PREADV.invokeExact(
                                    callState, (long) fd, vectors, (long) count, offset, 0L, NULL);
            return read >= 0 ? read : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("preadv", t);
        }
    }

    /**
     * Reads at an offset into several buffers, as preadv2(2).
     *
     * @param callState receives errno
     * @param fd the file
     * @param vectors {@code struct iovec[count]}, see {@link IoVector}
     * @param count number of vectors, at most 1024
     * @param offset in the file, in bytes
     * @param flags {@code RWF_*}
     * @return bytes read, 0 at the end of the file, or -errno
     */
    public static long preadv2(
            MemorySegment callState,
            int fd,
            MemorySegment vectors,
            int count,
            long offset,
            int flags) {
        return preadv2(callState, fd, vectors, count, offset, flags, NULL);
    }

    /**
     * Reads at an offset into memory that its owner may free at any time, but not before this call
     * returns.
     *
     * @param callState receives errno
     * @param fd the file
     * @param vectors {@code struct iovec[count]}, see {@link IoVector}, of parts of {@code target}
     * @param count number of vectors, at most 1024
     * @param offset in the file, in bytes
     * @param flags {@code RWF_*}
     * @param target native memory
     * @return bytes read, 0 at the end of the file, or -errno
     * @throws IllegalStateException if the target was freed before
     */
    public static long preadv2(
            MemorySegment callState,
            int fd,
            MemorySegment vectors,
            int count,
            long offset,
            int flags,
            MemorySegment target) {
        try {
            long read =
                    (long)
                            PREADV2.invokeExact(
                                    callState,
                                    (long) fd,
                                    vectors,
                                    (long) count,
                                    offset,
                                    (long) flags,
                                    target);
            return read >= 0 ? read : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("preadv2", t);
        }
    }

    /**
     * Advises the kernel on the coming reads of a file, as posix_fadvise(3).
     *
     * @param callState not used: this function returns its errno
     * @param fd the file
     * @param offset of the range, in bytes
     * @param bytes length of the range; 0 for up to the end
     * @param advice {@code POSIX_FADV_*}
     * @return 0 or -errno
     */
    public static int posix_fadvise(
            MemorySegment callState, int fd, long offset, long bytes, int advice) {
        try {
            return -(int)
                    (long)
                            POSIX_FADVISE.invokeExact(
                                    callState,
                                    (long) fd,
                                    number(offset),
                                    bytes,
                                    (long) advice,
                                    0L,
                                    NULL);
        } catch (Throwable t) {
            throw Downcalls.unexpected("posix_fadvise", t);
        }
    }

    /**
     * Counts the pages of a file that are in the page cache, as cachestat(2).
     *
     * @param callState receives errno
     * @param fd the file
     * @param range {@code struct cachestat_range}: offset and length, two longs
     * @param counts {@code struct cachestat}: five longs; the first receives the number of pages
     * @return 0 or -errno; ENOSYS before Linux 6.5
     */
    public static int cachestat(
            MemorySegment callState, int fd, MemorySegment range, MemorySegment counts) {
        try {
            long result =
                    (long)
                            SYSCALL.invokeExact(
                                    callState,
                                    SYS_CACHESTAT,
                                    number(fd),
                                    range.address(),
                                    counts.address(),
                                    0L,
                                    counts);
            return result == 0 ? 0 : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("cachestat", t);
        }
    }

    /**
     * Writes, as write(2).
     *
     * @param callState receives errno
     * @param fd the file
     * @param source the bytes to write
     * @return bytes written or -errno
     */
    public static long write(MemorySegment callState, int fd, MemorySegment source) {
        try {
            long written =
                    (long)
                            WRITE.invokeExact(
                                    callState, (long) fd, source, source.byteSize(), 0L, 0L, NULL);
            return written >= 0 ? written : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("write", t);
        }
    }

    /**
     * Changes an open file, as fcntl(2).
     *
     * @param callState receives errno
     * @param fd the file
     * @param command {@code F_*}
     * @param argument of the command
     * @return the result of the command, or -errno
     */
    public static int fcntl(MemorySegment callState, int fd, int command, int argument) {
        try {
            int result =
                    (int)
                            (long)
                                    FCNTL.invokeExact(
                                            callState,
                                            (long) fd,
                                            number(command),
                                            (long) argument,
                                            0L,
                                            0L,
                                            NULL);
            return result >= 0 ? result : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("fcntl", t);
        }
    }

    /**
     * Fills in {@code struct statx}; returns 0 or -errno. An {@link InternalError} belongs to the
     * caller.
     */
    static int statx(
            MemorySegment callState,
            int fd,
            MemorySegment path,
            int flags,
            int mask,
            MemorySegment status) {
        try {
            int result =
                    (int)
                            (long)
                                    STATX.invokeExact(
                                            callState,
                                            (long) fd,
                                            path,
                                            (long) flags,
                                            (long) mask,
                                            status.address(),
                                            status);
            return result == 0 ? 0 : -errno(callState);
        } catch (InternalError e) {
            throw e; // from an earlier access to a mapped file, see MemoryMap.ofFile
        } catch (Throwable t) {
            throw Downcalls.unexpected("statx", t);
        }
    }

    /** {@code action} or {@code before} may be NULL; returns 0 or -errno. */
    static int sigaction(
            MemorySegment callState, int signal, MemorySegment action, MemorySegment before) {
        try {
            int result =
                    (int)
                            (long)
                                    SIGACTION.invokeExact(
                                            callState,
                                            (long) signal,
                                            action,
                                            before.address(),
                                            0L,
                                            0L,
                                            before);
            return result == 0 ? 0 : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("sigaction", t);
        }
    }

    /** {@return the effective user id of this process, as geteuid(2)} */
    public static int geteuid() {
        try {
            return Downcalls.call(GETEUID);
        } catch (Throwable t) {
            throw Downcalls.unexpected("geteuid", t);
        }
    }

    /**
     * Creates an event counter, as eventfd(2).
     *
     * @param callState receives errno
     * @param flags {@code EFD_*}
     * @return a file descriptor or -errno
     */
    public static int eventfd(MemorySegment callState, int flags) {
        try {
            int fd =
                    (int)
                            (long)
                                    EVENTFD.invokeExact(
                                            callState, 0L, number(flags), 0L, 0L, 0L, NULL);
            return fd >= 0 ? fd : -errno(callState);
        } catch (Throwable t) {
            throw Downcalls.unexpected("eventfd", t);
        }
    }

    static int errno(MemorySegment callState) {
        return (int) ERRNO.get(callState, 0L);
    }

    static MethodHandle link(String name) {
        return Downcalls.link(name, Downcalls.SHAPE, ERRNO_OPTION);
    }

    /** On Linux, variadic integers are in the same registers as others: x86-64 and AArch64. */
    private static MethodHandle linkVariadic(String name, int firstVariadic) {
        return IS_SAME_IF_VARIADIC
                ? link(name)
                : Downcalls.link(
                        name,
                        Downcalls.SHAPE,
                        ERRNO_OPTION,
                        Linker.Option.firstVariadicArg(firstVariadic));
    }
}
