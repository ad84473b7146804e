package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.Errno;
import io.zarrengine.uring.ReadBackend.Method;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The probe believes only what a ring does. */
@Timeout(60)
final class UringProbeTest {
    @BeforeEach
    void needsIoUring() {
        ReadBackend.unavailabilityCause(Method.IO_URING)
                .ifPresent(cause -> assumeTrue(false, cause));
    }

    @Test
    void aKernelThatWorksIsDescribed() {
        UringProbe probe = UringProbe.run();
        assertTrue(probe.works(), probe::finding);
        assertTrue(probe.finding().contains("files registered"), probe::finding);
    }

    /** Workers on such a kernel (gVisor) would spin. */
    @Test
    void aKernelThatDoesNotWaitIsNotUsed() {
        UringProbe probe =
                UringProbe.run((descriptor, submissions, completionsMin, flags) ->
                        KernelRing.enterKernel(descriptor, submissions, 0, flags));
        assertFalse(probe.works());
        assertTrue(probe.finding().endsWith("io_uring_enter does not wait"), probe::finding);
    }

    @Test
    void aKernelThatRefusesToEnterIsNotUsed() {
        UringProbe probe =
                UringProbe.run((descriptor, submissions, completionsMin, flags) -> -Errno.EPERM);
        assertFalse(probe.works());
        assertEquals(
                "io_uring_enter(2 entries): EPERM (errno 1);"
                        + " forbidden by sysctl kernel.io_uring_disabled or a seccomp filter",
                probe.finding());
    }
}
