package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads that are queued while another one blocks the only worker. A cancelled read must end at
 * once, because no worker writes to its target.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class QueuedReadTest {
    @TempDir private Path folder;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private SampleArray sample;
    private ZarrEngine engine;
    private ZarrArray array;
    private CompletableFuture<HostTensor> first;

    @BeforeEach
    void holdUp() throws InterruptedException {
        ArrayMetadata metadata = // 480 kB: no caller reads this much itself.
                ArrayMetadata.builder(NumericType.INT32, 300, 400)
                        .chunkShape(50, 400)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        try (ZarrEngine writer = ZarrEngine.open()) {
            sample = SampleArray.write(writer, folder.resolve("array"), metadata);
        }
        engine =
                ZarrEngine.builder()
                        .workers(1)
                        .queues(queues -> WatchedReads.of(queues, this::atGate))
                        .open();
        array = engine.openArray(sample.path());
        first = array.readAsync(Selection.all());
        begun.await();
    }

    private void atGate(Object[] read) throws InterruptedException {
        begun.countDown();
        gate.await();
    }

    @AfterEach
    void close() {
        gate.countDown();
        array.close();
        engine.close();
    }

    /** Checks that the read that had begun continues, and so do those after it. */
    private void assertTheOthersAreRight(CompletableFuture<HostTensor> last) {
        assertFalse(first.isDone());
        gate.countDown();
        for (CompletableFuture<HostTensor> read : List.of(first, last)) {
            try (HostTensor tensor = read.join()) {
                assertArrayEquals(sample.all(), tensor.segment().toArray(JAVA_BYTE));
            }
        }
    }

    private void assertEndsBefore(
            Consumer<CompletableFuture<Void>> giveUp, Class<? extends Exception> failure) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(sample.all().length);
            CompletableFuture<Void> queued = array.readAsync(Selection.all(), target);
            CompletableFuture<HostTensor> last = array.readAsync(Selection.all());
            giveUp.accept(queued);
            Exception e = assertThrows(Exception.class, () -> queued.get(30, TimeUnit.SECONDS));
            assertInstanceOf(
                    failure, e instanceof ExecutionException wrapped ? wrapped.getCause() : e);
            assertTrue(queued.isDone());
            target.fill((byte) 1); // No worker writes there any more.
            assertTheOthersAreRight(last);
            byte[] ones = target.toArray(JAVA_BYTE);
            assertEquals(ones.length, countOnes(ones));
        }
    }

    private static int countOnes(byte[] bytes) {
        int ones = 0;
        for (byte value : bytes) {
            ones += value;
        }
        return ones;
    }

    @Test
    void metricsCountQueuedReads() {
        CompletableFuture<HostTensor> second = array.readAsync(Selection.all());

        assertEquals(2, engine.metrics().requests());
        gate.countDown();
        first.join().close();
        second.join().close();
        engine.close(); // The worker's last round has ended.
        EngineMetrics done = engine.metrics();
        assertEquals(0, done.requests());
        assertEquals(0, done.readsInFlight());
        assertEquals(0, done.readsArrived());
        assertEquals(0, done.budgetBytesReserved());
    }

    @Test
    void endsACancelledRead() {
        assertEndsBefore(read -> assertTrue(read.cancel(true)), CancellationException.class);
    }

    @Test
    void endsATimedOutRead() {
        assertEndsBefore(
                read -> {
                    var _ = read.orTimeout(10, TimeUnit.MILLISECONDS);
                },
                TimeoutException.class);
    }

    @Test
    void endsAReadThatItsCallerFails() {
        assertEndsBefore(
                read -> assertTrue(read.completeExceptionally(new IllegalArgumentException("no"))),
                IllegalArgumentException.class);
    }

    @Test
    void endsTheReadOfAnInterruptedCaller() throws Exception {
        CompletableFuture<Throwable> left = new CompletableFuture<>();
        Thread reader =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                array.read(Selection.all()).close();
                                left.complete(null);
                            } catch (RuntimeException | Error e) {
                                left.complete(e);
                            }
                        });
        while (reader.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        reader.interrupt();
        var failure = assertInstanceOf(CancellationException.class, left.get(30, TimeUnit.SECONDS));
        assertEquals("interrupted", failure.getMessage());
        assertTheOthersAreRight(array.readAsync(Selection.all()));
    }

    /** Queued reads fail before the worker has ended, while {@code close} waits for its thread. */
    @Test
    void endsAllReadsOfAClosedEngine() throws Exception {
        CompletableFuture<HostTensor> queued = array.readAsync(Selection.all());
        Thread closer = Thread.ofPlatform().start(engine::close);
        var failure =
                assertThrows(ExecutionException.class, () -> queued.get(30, TimeUnit.SECONDS));
        assertEquals(ClosedException.class, failure.getCause().getClass());
        assertTrue(closer.isAlive());
        while (closer.getState()
                // until the closer waits for the worker: all reads have ended
                != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        assertFalse(first.isDone());
        gate.countDown();
        closer.join();
        assertThrows(CompletionException.class, first::join);
    }
}
