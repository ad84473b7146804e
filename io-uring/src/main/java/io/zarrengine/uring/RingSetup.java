package io.zarrengine.uring;

import static io.zarrengine.bindings.liburing.Liburing.IORING_FEAT_EXT_ARG;
import static io.zarrengine.bindings.liburing.Liburing.IORING_FEAT_NODROP;
import static io.zarrengine.bindings.liburing.Liburing.IORING_FEAT_SINGLE_MMAP;
import static io.zarrengine.bindings.liburing.Liburing.IORING_SETUP_CLAMP;
import static io.zarrengine.bindings.liburing.Liburing.IORING_SETUP_COOP_TASKRUN;
import static io.zarrengine.bindings.liburing.Liburing.IORING_SETUP_CQSIZE;
import static io.zarrengine.bindings.liburing.Liburing.IORING_SETUP_DEFER_TASKRUN;
import static io.zarrengine.bindings.liburing.Liburing.IORING_SETUP_NO_SQARRAY;
import static io.zarrengine.bindings.liburing.Liburing.IORING_SETUP_SINGLE_ISSUER;
import static io.zarrengine.bindings.liburing.Liburing.IORING_SETUP_SUBMIT_ALL;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.IoUring;
import io.zarrengine.bindings.LibC;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/**
 * Creates an io_uring with the best flags that the kernel accepts: EINVAL leads to the next step of
 * the ladder.
 *
 * @param descriptor the ring; the caller closes it
 * @param params the kernel's answer, {@code struct io_uring_params}
 * @param step the step of the ladder that the kernel accepted
 * @see <a href="https://man7.org/linux/man-pages/man2/io_uring_setup.2.html">io_uring_setup(2)</a>
 */
record RingSetup(int descriptor, MemorySegment params, Step step) {
    /**
     * One set of flags.
     *
     * @param name its features, for the report
     * @param flags {@code IORING_SETUP_*}
     */
    record Step(String name, int flags) {}

    // struct io_uring_params. Here and in the queues members are plain numbers, because a new
    // process takes 30 ms to load the generated classes; RingLayoutTest compares.
    static final int PARAMS_BYTES = 120;
    static final int SQ_ENTRIES = 0;
    static final int CQ_ENTRIES = 4;
    static final int FLAGS = 8;
    static final int FEATURES = 20;
    static final int SQ_OFF = 40;
    static final int CQ_OFF = 80;

    private static final int ALWAYS = IORING_SETUP_CQSIZE() | IORING_SETUP_CLAMP();
    private static final int ONE_OWNER =
            ALWAYS
                    | IORING_SETUP_SUBMIT_ALL()
                    | IORING_SETUP_SINGLE_ISSUER()
                    | IORING_SETUP_DEFER_TASKRUN();

    /** Best first. */
    static final List<Step> LADDER =
            List.of(
                    new Step(
                            "single issuer, deferred task run, no SQ array (Linux 6.6)",
                            ONE_OWNER | IORING_SETUP_NO_SQARRAY()),
                    new Step("single issuer, deferred task run (Linux 6.1)", ONE_OWNER),
                    new Step(
                            "cooperative task run (Linux 5.19)",
                            ALWAYS | IORING_SETUP_SUBMIT_ALL() | IORING_SETUP_COOP_TASKRUN()),
                    new Step("plain (Linux 5.11)", ALWAYS));

    private static final int FEATURES_NEEDED =
            IORING_FEAT_SINGLE_MMAP() | IORING_FEAT_NODROP() | IORING_FEAT_EXT_ARG();

    /**
     * Creates a ring.
     *
     * @param entries most submissions in the ring
     * @param steps the steps to try, best first
     * @param allocator allocates {@link #params}
     * @throws ErrnoException EPERM where a sysctl or a filter forbids io_uring, ENOSYS where the
     *     kernel has none, ENOMEM, EMFILE; EINVAL if the kernel is too old
     */
    static RingSetup create(int entries, List<Step> steps, SegmentAllocator allocator)
            throws ErrnoException {
        int result = -Errno.EINVAL;
        for (Step step : steps) {
            MemorySegment params = allocator.allocate(PARAMS_BYTES, JAVA_LONG.byteAlignment());
            params.set(JAVA_INT, FLAGS, step.flags);
            params.set(JAVA_INT, CQ_ENTRIES, 2 * entries);
            result = IoUring.setup(entries, params);
            if (result >= 0) {
                return checked(result, params, step);
            }
            if (result != -Errno.EINVAL) {
                break;
            }
        }
        throw new ErrnoException("io_uring_setup", entries + " entries", result);
    }

    private static RingSetup checked(int descriptor, MemorySegment params, Step step)
            throws ErrnoException {
        try {
            int features = params.get(JAVA_INT, FEATURES);
            if ((features & FEATURES_NEEDED) == FEATURES_NEEDED) {
                return new RingSetup(descriptor, params, step);
            }
            String subject =
                    "a kernel with features 0x"
                            + Integer.toHexString(features)
                            + "; Linux 5.11 has more";
            throw new ErrnoException("io_uring_setup", subject, -Errno.EINVAL);
        } catch (Throwable t) { // Allowed: no ring is left open
            LibC.close(descriptor);
            throw t;
        }
    }

    int submissionEntries() {
        return params.get(JAVA_INT, SQ_ENTRIES);
    }

    int completionEntries() {
        return params.get(JAVA_INT, CQ_ENTRIES);
    }

    /** {@return an offset in the ring's memory, from {@code struct io_sqring_offsets}} */
    long submissionOffset(int member) {
        return Integer.toUnsignedLong(params.get(JAVA_INT, SQ_OFF + member));
    }

    /** {@return the same by {@code struct io_cqring_offsets}} */
    long completionOffset(int member) {
        return Integer.toUnsignedLong(params.get(JAVA_INT, CQ_OFF + member));
    }

    boolean hasSubmissionArray() {
        return (step.flags & IORING_SETUP_NO_SQARRAY()) == 0;
    }

    /** Returns whether completions appear only while the owner is inside io_uring_enter. */
    boolean defersTaskRun() {
        return (step.flags & IORING_SETUP_DEFER_TASKRUN()) != 0;
    }
}
