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

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.IoUring;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.liburing.io_uring_params;
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
            MemorySegment params = io_uring_params.allocate(allocator);
            io_uring_params.flags(params, step.flags);
            io_uring_params.cq_entries(params, 2 * entries);
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
            int features = io_uring_params.features(params);
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

    boolean hasSubmissionArray() {
        return (step.flags & IORING_SETUP_NO_SQARRAY()) == 0;
    }

    /** Returns whether completions appear only while the owner is inside io_uring_enter. */
    boolean defersTaskRun() {
        return (step.flags & IORING_SETUP_DEFER_TASKRUN()) != 0;
    }
}
