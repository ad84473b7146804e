package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the probe relies only on what a ring does. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class UringProbeTest implements NeedsIoUring {
    private static final int FILE_BYTES = 1000;

    @TempDir Path folder;

    private UringProbe probe(KernelRing.EnterCall enterCall) throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[FILE_BYTES]);
        return UringProbe.start(enterCall, file, Duration.ofSeconds(1)).join();
    }

    /**
     * Writes other bytes to the file before the kernel reads it, as if the kernel read wrong bytes.
     */
    private KernelRing.EnterCall reading(byte[] other) {
        return (descriptor, submissions, completionsMin, flags) -> {
            try {
                Files.write(folder.resolve("file"), other);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return KernelRing.enterKernel(descriptor, submissions, completionsMin, flags);
        };
    }

    @Test
    void aKernelThatWorksIsDescribed() {
        UringProbe probe = UringProbe.start().join();
        assertTrue(probe.works(), probe::finding);
        assertTrue(probe.finding().contains("files registered"), probe::finding);
    }

    /** Workers on a kernel like this (gVisor) would spin. */
    @Test
    void aKernelThatDoesNotWaitIsNotUsed() throws IOException {
        UringProbe probe =
                probe((descriptor, submissions, completionsMin, flags) ->
                        KernelRing.enterKernel(descriptor, submissions, 0, flags));
        assertFalse(probe.works());
        assertTrue(probe.finding().endsWith("io_uring_enter does not wait"), probe::finding);
    }

    @Test
    void aKernelThatRefusesToEnterIsNotUsed() throws IOException {
        UringProbe probe = probe((descriptor, submissions, completionsMin, flags) -> -Errno.EPERM);
        assertFalse(probe.works());
        assertEquals(
                "io_uring_enter(2 entries): EPERM (errno 1);"
                        + " forbidden by sysctl kernel.io_uring_disabled or a seccomp filter",
                probe.finding());
    }

    @Test
    void aKernelThatReadsOtherBytesIsNotUsed() throws IOException {
        byte[] other = new byte[FILE_BYTES];
        other[FILE_BYTES - 1] = 1;
        UringProbe probe = probe(reading(other));
        assertFalse(probe.works());
        assertTrue(probe.finding().endsWith("brought other bytes"), probe::finding);
    }

    @Test
    void aKernelThatReadsShortIsNotUsed() throws IOException {
        UringProbe probe = probe(reading(new byte[FILE_BYTES - 1]));
        assertFalse(probe.works());
        assertTrue(probe.finding().endsWith("brought other bytes"), probe::finding);
    }

    /** The kernel reports that it took a read, but never completes it. */
    @Test
    void aKernelThatNeverEndsAReadIsNotUsed() throws IOException {
        UringProbe probe = probe((descriptor, submissions, completionsMin, flags) -> submissions);
        assertFalse(probe.works());
        assertTrue(probe.finding().endsWith("does not end"), probe::finding);
    }

    /**
     * The kernel waits for a read, or later for a wake-up, that never comes. Opening an engine
     * would wait forever.
     */
    @ParameterizedTest(name = "wait {0}")
    @ValueSource(ints = {1, 2})
    void aKernelThatNeverReturnsIsNotUsed(int wait) throws IOException {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger waits = new AtomicInteger();
        try {
            UringProbe probe =
                    probe((descriptor, submissions, completionsMin, flags) -> {
                        if (completionsMin > 0 && waits.incrementAndGet() == wait) {
                            awaitUninterruptibly(gate);
                        }
                        return KernelRing.enterKernel(
                                descriptor, submissions, completionsMin, flags);
                    });
            assertFalse(probe.works());
            assertTrue(probe.finding().endsWith("does not end"), probe::finding);
        } finally {
            gate.countDown();
        }
    }

    /** Waits uninterruptibly, as in a system call. */
    private static void awaitUninterruptibly(CountDownLatch gate) {
        while (gate.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
