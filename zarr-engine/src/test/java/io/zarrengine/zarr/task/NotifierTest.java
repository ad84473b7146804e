package io.zarrengine.zarr.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.GridPlan;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
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

    /** The thread that a notification starts may find no memory before the notification returns. */
    @Test
    void repeatsWhatIsPutOffAgainWhileItRuns() throws InterruptedException {
        try (Notifier notifier = new Notifier(() -> true)) {
            ReadRequest request = newRequest(notifier);
            request.tellLater(
                    new Runnable() {
                        @Override
                        public void run() {
                            if (attempts.incrementAndGet() == 1) {
                                request.tellLater(this);
                            } else {
                                told.countDown();
                            }
                        }
                    });
            assertToldBy(notifier);
        }
    }

    @Test
    void repeatsWhatFails() throws InterruptedException {
        try (Notifier notifier = new Notifier(() -> true)) {
            newRequest(notifier)
                    .tellLater(() -> {
                        if (attempts.incrementAndGet() == 1) {
                            throw new OutOfMemoryError("injected");
                        }
                        told.countDown();
                    });
            assertToldBy(notifier);
        }
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

    private void assertToldBy(Notifier notifier) throws InterruptedException {
        Thread.ofPlatform().daemon().start(notifier);
        told.await(30, TimeUnit.SECONDS);
        assertEquals(2, attempts.get());
    }
}
