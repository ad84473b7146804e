package io.zarrengine.uring.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CompletionThreadTest {
    private static final int MORE_THAN_RUN = 100;

    /** Catches a thread for each of many reads that wait, and a place that is never free again. */
    @Test
    void fewSecondAttemptsRunAtATime() throws InterruptedException {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        int started = 0;
        for (int i = 0; i < MORE_THAN_RUN; i++) {
            started += CompletionThread.tryAgain(() -> blockUntil(mayEnd, ended)) ? 1 : 0;
        }
        assertTrue(started > 0 && started < MORE_THAN_RUN, "started " + started);
        mayEnd.countDown();
        CountDownLatch later = new CountDownLatch(1);
        while (!CompletionThread.tryAgain(later::countDown)) {
            Thread.sleep(1);
        }
        assertTrue(later.await(30, TimeUnit.SECONDS));
        while (ended.get() < started) {
            Thread.sleep(1);
        }
        assertEquals(started, ended.get());
    }

    private static void blockUntil(CountDownLatch mayEnd, AtomicInteger ended) {
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ended.incrementAndGet();
    }
}
