package io.zarrengine.zarr.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.OtherJvm;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.GridPlan;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that end while the heap is full. Of a map's own count one in nine of these rounds was
 * wrong for good, and the engine did not close.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ActiveRequestsTest {
    private static final int ROUNDS = 20;

    @TempDir private Path folder;

    @Test
    void noneIsCountedWhenAllWereRemovedWhateverMemoryThereWas() throws Exception {
        List<String> options = List.of("-XX:+UseSerialGC", "-Xmx16m");
        assertEquals(
                List.of("0 of " + ROUNDS + " are wrong"),
                OtherJvm.run(List.of(), options, _ -> true, Rounds.class, folder));
    }

    /** What the other JVM runs. */
    static final class Rounds {
        private static final int THREADS = 2;
        private static final int REQUESTS = 1000; // of a thread

        private Rounds() {}

        public static void main(String[] arguments) throws InterruptedException {
            var _ = ThreadLocalRandom.current(); // A map needs it, and there is memory now.
            int wrong = 0;
            for (int round = 0; round < ROUNDS; round++) {
                ActiveRequests active = new ActiveRequests();
                endWithoutMemory(active);
                wrong += active.count() == 0 && !active.iterator().hasNext() ? 0 : 1;
            }
            IO.println(wrong + " of " + ROUNDS + " are wrong");
        }

        /** Arrays and no lists behind the point where there is no memory, not for an iterator. */
        private static void endWithoutMemory(ActiveRequests active) throws InterruptedException {
            CountDownLatch ready = new CountDownLatch(THREADS);
            AtomicInteger arrived = new AtomicInteger();
            CountDownLatch isFull = new CountDownLatch(1);
            Thread[] threads = new Thread[THREADS];
            for (int i = 0; i < THREADS; i++) {
                ReadRequest[] requests = newRequests(active);
                Runnable work =
                        () -> {
                            await(isFull);
                            removeAll(active, arrived, requests);
                        };
                threads[i] =
                        Thread.ofPlatform()
                                .daemon()
                                .start(() -> {
                                    ready.countDown();
                                    try {
                                        untilThereIsMemory(work);
                                    } finally { // The others do not wait for one that is gone.
                                        arrived.addAndGet(THREADS * REQUESTS);
                                    }
                                });
            }
            Runnable joining =
                    () -> {
                        for (Thread thread : threads) {
                            await(thread);
                        }
                    };
            ready.await();
            List<byte[]> blocks = new ArrayList<>(1 << 16);
            try {
                for (int bytes : new int[] {1 << 16, 1 << 9, 1 << 4}) {
                    fillWith(blocks, bytes);
                }
                isFull.countDown();
                untilThereIsMemory(joining);
            } finally {
                Reference.reachabilityFence(blocks);
            }
        }

        /** The JVM may have none wherever it gives compiled code up: what was begun is repeated. */
        private static void untilThereIsMemory(Runnable work) {
            boolean isDone = false;
            while (!isDone) {
                try {
                    work.run();
                    isDone = true;
                } catch (OutOfMemoryError e) {
                    Thread.onSpinWait();
                }
            }
        }

        private static void await(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts", e);
            }
        }

        private static ReadRequest[] newRequests(ActiveRequests active) {
            MemorySegment none = MemorySegment.NULL;
            ReadRequest.Source source = new ReadRequest.Source(null, null, null, none);
            ChunkGrid grid = ArrayMetadata.builder(NumericType.UINT8, 4).build().chunkGrid();
            ChunkPlan plan = new GridPlan(Region.whole(List.of(4L), 1), grid);
            return Stream.generate(() -> new ReadRequest(source, plan, none))
                    .limit(REQUESTS)
                    .peek(active::add)
                    .toArray(ReadRequest[]::new);
        }

        private static void fillWith(List<byte[]> blocks, int bytes) {
            try {
                while (true) {
                    blocks.add(new byte[bytes]);
                }
            } catch (OutOfMemoryError e) {
                // It is full.
            }
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts", e);
            }
        }

        private static void removeAll(
                ActiveRequests active, AtomicInteger arrived, ReadRequest... requests) {
            for (int i = 0; i < REQUESTS; i++) {
                arrived.incrementAndGet();
                while (arrived.get() < (i + 1) * THREADS) {
                    Thread.onSpinWait(); // At the same moment, or none has to count beside another.
                }
                active.remove(requests[i]);
            }
        }
    }
}
