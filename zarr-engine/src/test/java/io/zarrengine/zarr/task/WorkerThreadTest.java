package io.zarrengine.zarr.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests when a worker makes the calls that it put off. */
final class WorkerThreadTest {
    private static void runOnWorker(Runnable task) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        new WorkerThread(
                        "worker of a test",
                        () -> {
                            try {
                                task.run();
                                ended.complete(null);
                            } catch (RuntimeException | Error e) {
                                ended.completeExceptionally(e);
                            }
                        })
                .start();
        ended.join();
    }

    @Test
    void callsAreMadeOnceAndInTheirOrder() {
        runOnWorker(() -> {
            List<Integer> told = new ArrayList<>();
            assertFalse(WorkerThread.hasPutOff());
            assertTrue(WorkerThread.putOff(() -> told.add(1)));
            assertTrue(WorkerThread.putOff(() -> told.add(2)));
            assertTrue(WorkerThread.hasPutOff());
            assertEquals(List.of(), told);
            WorkerThread.runAll();
            WorkerThread.runAll();
            assertEquals(List.of(1, 2), told);
            assertFalse(WorkerThread.hasPutOff());
        });
    }

    /** Catches a worker that always has work and never makes them. */
    @Test
    void aCallThatHasWaitedIsMade() {
        runOnWorker(() -> {
            List<Integer> told = new ArrayList<>();
            WorkerThread.runDue();
            WorkerThread.putOff(() -> told.add(1));
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < 1_000_000) {
                Thread.onSpinWait();
            }
            WorkerThread.putOff(() -> told.add(2)); // Does not prolong the wait.
            WorkerThread.runDue();
            assertEquals(List.of(1, 2), told);
        });
    }

    /** On any other thread a caller may have been interrupted, and must learn of that. */
    @Test
    void onlyAWorkerForgetsAnInterrupt() {
        Thread.currentThread().interrupt();
        WorkerThread.forgetInterrupt();
        assertTrue(Thread.interrupted());
        runOnWorker(() -> {
            Thread.currentThread().interrupt();
            WorkerThread.forgetInterrupt();
            assertFalse(Thread.currentThread().isInterrupted());
        });
    }

    /** Another thread may never come back to make the call. */
    @Test
    void anotherThreadPutsNothingOff() {
        assertFalse(WorkerThread.putOff(() -> {}));
    }

    /** Catches a call that is lost because there was no memory for it. */
    @Test
    void aCallThatFailsIsMadeAgainWhenTheThreadHasEnded() throws InterruptedException {
        AtomicInteger faults = new AtomicInteger(2);
        List<Integer> made = new ArrayList<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        WorkerThread thread =
                new WorkerThread(
                        "worker of a test",
                        () -> {
                            WorkerThread.putOff(() -> {
                                if (faults.getAndDecrement() > 0) {
                                    throw new OutOfMemoryError("to make a call");
                                }
                                made.add(1);
                            });
                            WorkerThread.putOff(() -> made.add(2));
                            try {
                                WorkerThread.runAll();
                            } catch (OutOfMemoryError e) {
                                failure.set(e);
                            }
                        });
        thread.start();
        thread.join();
        assertNotNull(failure.get());
        assertThrows(OutOfMemoryError.class, thread::runRest);
        assertEquals(List.of(), made);
        thread.runRest();
        thread.runRest();
        assertEquals(List.of(1, 2), made);
    }
}
