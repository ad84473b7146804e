package io.zarrengine.zarr.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The budget is never exceeded, and no reservation is lost. */
final class MemoryBudgetTest {
    @Test
    void reservesUpToItsSize() {
        AtomicInteger released = new AtomicInteger();
        MemoryBudget budget = new MemoryBudget(100, released::incrementAndGet);
        assertEquals(100, budget.bytesMax());
        assertTrue(budget.tryReserve(60));
        assertFalse(budget.tryReserve(41));
        assertFalse(budget.tryReserve(Long.MAX_VALUE), "a huge size must not overflow");
        assertTrue(budget.tryReserve(40));
        assertFalse(budget.tryReserve(1));
        assertTrue(budget.tryReserve(0));
        assertEquals(100, budget.bytesReserved());
        assertEquals(0, released.get());
        budget.release(60);
        assertEquals(1, released.get(), "who waits is told");
        assertTrue(budget.tryReserve(60));
    }

    @Test
    void letsAListenerReserveAtOnce() {
        MemoryBudget[] budget = new MemoryBudget[1];
        boolean[] reserved = new boolean[1];
        budget[0] = new MemoryBudget(10, () -> reserved[0] = budget[0].tryReserve(10));
        assertTrue(budget[0].tryReserve(10));
        budget[0].release(10);
        assertTrue(reserved[0]);
    }

    @Test
    void refusesToReleaseTooMuch() {
        MemoryBudget budget = new MemoryBudget(10, () -> {});
        assertTrue(budget.tryReserve(5));
        assertThrows(AssertionError.class, () -> budget.release(6));
    }

    @Test
    void manyThreadsNeverExceedIt() throws Exception {
        MemoryBudget budget = new MemoryBudget(1000, () -> {});
        AtomicLong used = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                ends.add(threads.submit(() -> reserveAndRelease(budget, used, random)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        assertEquals(0, budget.bytesReserved());
    }

    private static void reserveAndRelease(
            MemoryBudget budget, AtomicLong used, SplittableRandom random) {
        for (int i = 0; i < 5000; i++) {
            long bytes = random.nextLong(600);
            if (budget.tryReserve(bytes)) {
                assertTrue(used.addAndGet(bytes) <= 1000, "more than the budget is in use");
                used.addAndGet(-bytes);
                budget.release(bytes);
            }
        }
    }
}
