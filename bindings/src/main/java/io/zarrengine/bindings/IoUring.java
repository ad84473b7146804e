package io.zarrengine.bindings;

import static io.zarrengine.bindings.Downcalls.number;
import static java.lang.foreign.MemorySegment.NULL;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * Downcalls into liburing: its system calls, linked with {@link Downcalls#SHAPE}, which the
 * generated ones are not. Each returns {@code >= 0} on success and {@code -errno} on failure.
 *
 * <p>Must not be used before {@link NativeLibrary#LIBURING} is available.
 */
public final class IoUring {
    private static final SymbolLookup LIBRARY = SymbolLookup.loaderLookup();

    // int io_uring_setup(unsigned int entries, struct io_uring_params *p)
    private static final MethodHandle SETUP = link("io_uring_setup");

    // int io_uring_enter(unsigned int fd, unsigned int to_submit, unsigned int min_complete,
    //     unsigned int flags, sigset_t *sig)
    private static final MethodHandle ENTER = link("io_uring_enter");

    // int io_uring_register(unsigned int fd, unsigned int opcode, const void *arg,
    //     unsigned int nr_args)
    private static final MethodHandle REGISTER = link("io_uring_register");

    private IoUring() {}

    private static MethodHandle link(String name) {
        return Downcalls.link(LIBRARY.findOrThrow(name), Downcalls.SHAPE);
    }

    /**
     * Makes a ring, as io_uring_setup(2).
     *
     * @param entries capacity of the submission queue
     * @param parameters {@code struct io_uring_params}, changed by the kernel
     * @return a file descriptor or -errno
     */
    public static int setup(int entries, MemorySegment parameters) {
        try {
            return (int) (long) SETUP.invokeExact((long) entries, parameters, 0L, 0L, 0L, NULL);
        } catch (Throwable t) {
            throw Downcalls.unexpected("io_uring_setup", t);
        }
    }

    /**
     * Submits, and waits for completions, as io_uring_enter(2).
     *
     * @param ring its descriptor, or its number if {@code flags} say so
     * @param submissions the number of submissions
     * @param completionsMin the number of completions to wait for
     * @param flags {@code IORING_ENTER_*}
     * @return the number of submissions taken, or -errno
     */
    public static int enter(int ring, int submissions, int completionsMin, int flags) {
        try {
            return (int)
                    (long)
                            ENTER.invokeExact(
                                    (long) ring,
                                    number(submissions),
                                    (long) completionsMin,
                                    (long) flags,
                                    0L,
                                    NULL);
        } catch (Throwable t) {
            throw Downcalls.unexpected("io_uring_enter", t);
        }
    }

    /**
     * Registers files, buffers or the ring, as io_uring_register(2).
     *
     * @param ring its descriptor
     * @param operation {@code IORING_REGISTER_*} or {@code IORING_UNREGISTER_*}
     * @param argument of the operation
     * @param count number of elements of the argument
     * @return {@code >= 0} or -errno
     */
    public static int register(int ring, int operation, MemorySegment argument, int count) {
        try {
            return (int)
                    (long)
                            REGISTER.invokeExact(
                                    (long) ring,
                                    number(operation),
                                    argument.address(),
                                    (long) count,
                                    0L,
                                    argument);
        } catch (Throwable t) {
            throw Downcalls.unexpected("io_uring_register", t);
        }
    }
}
