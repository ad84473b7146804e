package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.NativeMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Finds out whether io_uring works here by using it. A kernel version says nothing about a sysctl,
 * a seccomp filter or an emulated kernel.
 *
 * <p>The probe makes a ring, reads a file through it and compares the bytes. It also checks that
 * waiting really waits, because an emulated kernel that returns at once would make every worker
 * spin.
 *
 * @param works whether rings may be used
 * @param finding the kernel's features, or why rings may not be used; one line
 */
record UringProbe(boolean works, String finding) {
    private static final int CAPACITY = 4;
    private static final int MEMORY_BYTES = 4096;
    private static final int WAKE_UPS = 3;
    private static final long WAKE_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Starts the probe. It takes a few milliseconds, and a new process some 200, to link C. */
    static CompletableFuture<UringProbe> start() {
        Path everyJavaHasIt = Path.of(System.getProperty("java.home"), "release");
        return start(KernelRing::enterKernel, everyJavaHasIt, LIMIT);
    }

    /**
     * Starts the probe with a given system call and file.
     *
     * <p>The probe runs on its own thread, which is abandoned after {@code limit}, because a thread
     * that waits in the kernel for a completion that never comes cannot be stopped.
     */
    static CompletableFuture<UringProbe> start(
            KernelRing.EnterCall enterCall, Path path, Duration limit) {
        UringProbe tooLate = new UringProbe(false, "the probe of io_uring does not end");
        return CompletableFuture.supplyAsync(
                        () -> probe(enterCall, path, limit),
                        probe -> Thread.ofPlatform().daemon().name("uring-probe").start(probe))
                .completeOnTimeout(tooLate, limit.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionally(thrown -> new UringProbe(false, thrown.toString()));
    }

    private static UringProbe probe(KernelRing.EnterCall enterCall, Path path, Duration limit) {
        if (!NativeLibrary.LIBURING.isAvailable()) {
            return new UringProbe(
                    false, NativeLibrary.LIBURING.unavailabilityCause().orElseThrow());
        }
        NativeMemory memory = NativeMemory.allocate(MEMORY_BYTES);
        boolean isLent = false;
        try {
            KernelRing ring =
                    new KernelRing(
                            CAPACITY, List.of(memory.segment()), RingSetup.LADDER, enterCall);
            RingReadQueue queue = new RingReadQueue(ring, CAPACITY);
            try (queue) {
                readAndCompare(queue, memory.segment(), path, limit);
                waitForWakeUps(queue);
                return new UringProbe(true, ring.description());
            } finally {
                isLent = queue.inFlight() > 0;
            }
        } catch (ErrnoException e) {
            return new UringProbe(false, e.getMessage() + remedy(e.errno()));
        } catch (IOException e) {
            return new UringProbe(false, e.toString());
        } finally {
            if (!isLent) { // The kernel did not end a read and may still write there.
                memory.close();
            }
        }
    }

    private static void readAndCompare(
            RingReadQueue queue, MemorySegment memory, Path path, Duration limit)
            throws IOException {
        byte[] expected = Files.readAllBytes(path);
        int bytes = (int) Math.min(expected.length, memory.byteSize());
        DescriptorFile file = DescriptorFile.open(path, Caching.BUFFERED);
        try {
            int number = queue.attach(file);
            long[] result = {0};
            queue.read(number, 0, memory, 0, bytes, 0);
            long deadline = System.nanoTime() + limit.toNanos();
            while (queue.inFlight() > 0) {
                queue.await((token, read) -> result[0] = read, () -> true);
                if (System.nanoTime() - deadline > 0) { // Avoids spinning if the read never ends.
                    throw new IOException("a read through the ring does not end");
                }
            }
            queue.detach(number);
            if (result[0] < 0) {
                throw new ErrnoException("IORING_OP_READ", path.toString(), result[0]);
            }
            byte[] actual = memory.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
            if (result[0] != bytes || !Arrays.equals(expected, 0, bytes, actual, 0, bytes)) {
                throw new IOException("a read through the ring brought other bytes");
            }
        } finally {
            file.release();
        }
    }

    /**
     * Checks that waiting lasts until another thread calls wake. It is repeated, because a thread
     * that the system did not run for a while looks as if it had waited.
     */
    private static void waitForWakeUps(RingReadQueue queue) throws IOException {
        for (int round = 0; round < WAKE_UPS; round++) {
            waitForWakeUp(queue);
        }
    }

    private static void waitForWakeUp(RingReadQueue queue) throws IOException {
        AtomicBoolean notified = new AtomicBoolean();
        Thread waker =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            LockSupport.parkNanos(WAKE_UP_NANOS);
                            notified.set(true);
                            queue.wake();
                        });
        queue.await((token, read) -> {}, () -> true);
        boolean waited = notified.get();
        boolean interrupted = false;
        while (waker.isAlive()) { // The waker uses the queue.
            try {
                waker.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!waited) {
            throw new IOException("io_uring_enter does not wait");
        }
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.EPERM ->
                    "; forbidden by sysctl kernel.io_uring_disabled or a seccomp filter";
            case Errno.ENOSYS -> "; this kernel has no io_uring";
            case Errno.EINVAL -> "; this kernel's io_uring is too old, Linux 5.11 is needed";
            case Errno.ENOMEM -> "; raise RLIMIT_MEMLOCK";
            default -> "";
        };
    }
}
