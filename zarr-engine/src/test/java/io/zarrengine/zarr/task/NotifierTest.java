package io.zarrengine.zarr.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.GridPlan;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class NotifierTest {
    private static final ChunkGrid GRID =
            ArrayMetadata.builder(NumericType.UINT8, 4).chunkShape(4).build().chunkGrid();

    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch told = new CountDownLatch(1);

    /** A full heap loses a started thread without a word, or refuses it. */
    @Test
    void repeatsUntilTheCallerIsTold() throws InterruptedException {
        try (Notifier notifier = new Notifier(() -> true)) {
            newRequest(notifier)
                    .tellLater(() ->
                            switch (attempts.incrementAndGet()) {
                                case 1 -> false;
                                case 2 -> throw new OutOfMemoryError("injected");
                                default -> isTold();
                            });
            assertToldBy(notifier, 3);
        }
    }

    /** A request added while others are notified must not cut their list. */
    @Test
    void tellsAllThatArePutOffMeanwhile() throws InterruptedException {
        try (Notifier notifier = new Notifier(() -> true)) {
            ReadRequest[] requests = new ReadRequest[10];
            Arrays.setAll(requests, i -> newRequest(notifier));
            for (int i = 0; i < requests.length; i++) {
                ReadRequest other = requests[(i + 5) % requests.length];
                requests[i].tellLater(() -> {
                    if (attempts.incrementAndGet() > requests.length) {
                        return attempts.get() < 2 * requests.length || isTold();
                    }
                    notifier.add(other);
                    return false;
                });
            }
            assertToldBy(notifier, 2 * requests.length);
        }
    }

    /** The list of those to tell later wakes the thread that fills it. */
    @Test
    void pausesBetweenTwoLooks() throws InterruptedException {
        try (Notifier notifier = new Notifier(() -> true)) {
            long begin = System.nanoTime();
            newRequest(notifier)
                    .tellLater(() -> {
                        attempts.incrementAndGet();
                        return System.nanoTime() - begin > 300_000_000 && isTold();
                    });
            Thread.ofPlatform().daemon().start(notifier);
            assertTrue(told.await(30, TimeUnit.SECONDS));
            assertTrue(attempts.get() < 100, attempts::toString);
        }
    }

    private boolean isTold() {
        told.countDown();
        return true;
    }

    private static ReadRequest newRequest(Notifier notifier) {
        ReadRequest request =
                new ReadRequest(
                        new ReadRequest.Source(null, null, null, MemorySegment.NULL, true, null),
                        new GridPlan(Region.whole(List.of(4L), 1), GRID),
                        MemorySegment.NULL);
        request.begin(() -> {}, () -> {}, notifier);
        return request;
    }

    private void assertToldBy(Notifier notifier, int attemptsWanted) throws InterruptedException {
        Thread.ofPlatform().daemon().start(notifier);
        assertTrue(told.await(30, TimeUnit.SECONDS));
        assertEquals(attemptsWanted, attempts.get());
    }
}
