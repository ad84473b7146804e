package io.zarrengine.zarr.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When callers are told what a worker put off. */
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
    void whatIsPutOffIsToldOnceAndInItsOrder() {
        runOnWorker(() -> {
            List<Integer> told = new ArrayList<>();
            assertFalse(WorkerThread.hasUntold());
            assertTrue(WorkerThread.tellLater(() -> told.add(1)));
            assertTrue(WorkerThread.tellLater(() -> told.add(2)));
            assertTrue(WorkerThread.hasUntold());
            assertEquals(List.of(), told);
            WorkerThread.tellAll();
            WorkerThread.tellAll();
            assertEquals(List.of(1, 2), told);
            assertFalse(WorkerThread.hasUntold());
        });
    }

    /** Else a worker that always has work would never tell. */
    @Test
    void whatHasWaitedIsTold() {
        runOnWorker(() -> {
            List<Integer> told = new ArrayList<>();
            WorkerThread.tellDue();
            WorkerThread.tellLater(() -> told.add(1));
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < 1_000_000) {
                Thread.onSpinWait();
            }
            WorkerThread.tellLater(() -> told.add(2)); // Does not begin to wait anew.
            WorkerThread.tellDue();
            assertEquals(List.of(1, 2), told);
        });
    }

    /** It may be the caller who was interrupted, and what he has others do. */
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

    /** It may never come back to tell. */
    @Test
    void anotherThreadPutsNothingOff() {
        assertFalse(WorkerThread.tellLater(() -> {}));
    }
}
