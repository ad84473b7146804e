package io.zarrengine.uring.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SureCompletionTest {
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);

    private void assertDone(int expectedRuns) throws InterruptedException {
        assertTrue(done.await(30, TimeUnit.SECONDS));
        assertEquals(expectedRuns, runs.get());
    }

    private void run() {
        runs.incrementAndGet();
        done.countDown();
    }

    /** Fault: the read of a GPU never ends whose thread a full heap refuses. */
    @Test
    void runsThoughAThreadIsRefused() throws InterruptedException {
        SureCompletion.startedBy(
                        action -> {
                            if (starts.incrementAndGet() < 3) {
                                throw new OutOfMemoryError("injected");
                            }
                            Thread.ofPlatform().start(action);
                        },
                        this::run)
                .start();
        assertDone(1);
        assertEquals(3, starts.get());
    }

    /** Fault: a full heap loses a thread that was started. */
    @Test
    void runsThoughAThreadIsLost() throws InterruptedException {
        SureCompletion.startedBy(_ -> starts.incrementAndGet(), this::run).start();
        assertDone(1);
        assertEquals(1, starts.get());
    }

    /** Fault: the heap becomes full while a future is completed. */
    @Test
    void repeatsForLackOfMemory() throws InterruptedException {
        Thread caller = Thread.currentThread();
        new SureCompletion(
                        () -> {
                            assertNotSame(caller, Thread.currentThread());
                            if (runs.get() < 2) {
                                runs.incrementAndGet();
                                throw new OutOfMemoryError("injected");
                            }
                            run();
                        })
                .start();
        assertDone(3);
    }
}
