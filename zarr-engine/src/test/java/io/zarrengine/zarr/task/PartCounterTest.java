package io.zarrengine.zarr.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that no part is handed out twice or lost, and that the end of the last one is seen. */
final class PartCounterTest {
    @Test
    void sharesBecomeSmallerTowardsTheEnd() {
        PartCounter parts = new PartCounter(20);
        assertEquals(new PartCounter.Share(0, 8), parts.takeShare(2, 8));
        assertEquals(new PartCounter.Share(8, 14), parts.takeShare(2, 8));
        assertEquals(14, parts.take());
        assertEquals(new PartCounter.Share(15, 17), parts.takeShare(2, 8));
        assertEquals(new PartCounter.Share(17, 18), parts.takeShare(3, 8));
        assertEquals(new PartCounter.Share(18, 20), parts.takeShare(1, 8));
        assertNull(parts.takeShare(1, 8));
        assertEquals(-1, parts.take());
        assertEquals(0, parts.takeRest());
    }

    @Test
    void theRestIsWhatNobodyHasTaken() {
        PartCounter parts = new PartCounter(10);
        parts.takeShare(1, 4);
        assertEquals(6, parts.takeRest());
        assertNull(parts.takeShare(1, 4));
        assertFalse(parts.endSome(6));
        assertFalse(parts.endSome(0));
        assertFalse(parts.endSome(3));
        assertEquals(9, parts.ended());
        assertEquals(10, parts.endOne());
    }

    @Test
    void someMayHaveToWait() {
        PartCounter parts = new PartCounter(10);
        assertEquals(0, parts.take(2));
        assertEquals(1, parts.take(2));
        assertFalse(parts.hasNext(2));
        assertEquals(-1, parts.take(2));
        assertTrue(parts.hasNext(3));
        assertEquals(2, parts.take(Long.MAX_VALUE));
        assertEquals(7, parts.takeRest());
        assertFalse(parts.hasNext(Long.MAX_VALUE));
        assertEquals(-1, parts.take(Long.MAX_VALUE));
    }

    @Test
    void threadsShareAllPartsAndOneOfThemEndsTheLast() throws Exception {
        int count = 100_000;
        int threads = 4;
        PartCounter parts = new PartCounter(count);
        AtomicIntegerArray times = new AtomicIntegerArray(count);
        int last = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (Future<Integer> taker :
                    pool.invokeAll(
                            IntStream.range(0, threads)
                                    .<Callable<Integer>>mapToObj(
                                            i -> () -> takeAll(parts, times, threads, i % 2 == 0))
                                    .toList())) {
                last += taker.get();
            }
        }
        assertEquals(1, last);
        for (int i = 0; i < count; i++) {
            assertEquals(1, times.get(i), "part " + i);
        }
    }

    private static int takeAll(
            PartCounter parts, AtomicIntegerArray times, int threads, boolean inShares) {
        int last = 0;
        for (PartCounter.Share share = next(parts, threads, inShares);
                share != null;
                share = next(parts, threads, inShares)) {
            for (long part = share.first(); part < share.end(); part++) {
                times.incrementAndGet((int) part);
            }
            last += parts.endSome(share.end() - share.first()) ? 1 : 0;
        }
        return last;
    }

    private static PartCounter.Share next(PartCounter parts, int threads, boolean inShares) {
        if (inShares) {
            return parts.takeShare(threads, 3);
        }
        long part = parts.take();
        return part < 0 ? null : new PartCounter.Share(part, part + 1);
    }
}
