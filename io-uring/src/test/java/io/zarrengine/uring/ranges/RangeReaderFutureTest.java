package io.zarrengine.uring.ranges;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadBackend.Method;
import io.zarrengine.uring.reading.ReadFuture;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests batches that their caller ends, with a worker that is blocked as long as a test needs. If
 * the future completes too early, the caller frees a target that is still written to.
 */
@Timeout(60)
final class RangeReaderFutureTest {
    private static final BatchReport INSTEAD = new BatchReport(0, 0, 0, 0);

    @TempDir Path folder;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    /** Ways in which a caller ends a batch, and the expected failure; null: none. */
    static Stream<Arguments> endings() {
        Exception failure = new IllegalStateException();
        return Stream.of(
                ending("cancel", future -> future.cancel(true), CancellationException.class),
                ending("complete", future -> future.complete(INSTEAD), null),
                ending("completeAsync", future -> future.completeAsync(() -> INSTEAD), null),
                ending(
                        "completeExceptionally",
                        future -> future.completeExceptionally(failure),
                        IllegalStateException.class),
                ending(
                        "completeOnTimeout",
                        future -> future.completeOnTimeout(INSTEAD, 1, MILLISECONDS),
                        null),
                ending(
                        "orTimeout",
                        future -> future.orTimeout(1, MILLISECONDS),
                        TimeoutException.class));
    }

    private static Arguments ending(
            String name,
            Consumer<CompletableFuture<BatchReport>> end,
            Class<? extends Exception> failure) {
        return Arguments.of(name, end, failure);
    }

    private void holdUp(long reads) {
        if (reads > 0) {
            begun.countDown();
            try {
                assertTrue(gate.await(30, SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private RangeReader open() {
        ReadBackend backend = ReadBackend.of(Method.FILE_CHANNEL);
        return RangeReader.open(
                backend,
                RangeReaderOptions.defaults().withThreads(1),
                (capacity, memory) ->
                        new FaultyQueue(backend.newQueue(capacity, memory), this::holdUp));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endings")
    void aBatchThatItsCallerEndsCompletesWhenItsWorkerHasEnded(
            String name,
            Consumer<CompletableFuture<BatchReport>> end,
            Class<? extends Exception> failure)
            throws Exception {
        byte[] target = new byte[1];
        ReadBatch batch = new ReadBatch(MemorySegment.ofArray(target));
        batch.add(batch.addFile(Files.write(folder.resolve("file"), new byte[] {1})), 0, 1, 0);
        try (RangeReader reader = open();
                AutoCloseable _ = gate::countDown) { // Runs before the reader is closed.
            CompletableFuture<BatchReport> future = reader.readAsync(batch);
            assertTrue(begun.await(30, SECONDS));
            end.accept(future);
            Thread.sleep(50); // Longer than all deadlines and threads take.
            assertFalse(future.isDone(), "a worker is about to write");
            gate.countDown();
            if (failure == null) {
                assertEquals(INSTEAD, future.get(30, SECONDS));
            } else {
                Throwable e = assertThrows(Exception.class, () -> future.get(30, SECONDS));
                assertInstanceOf(failure, e instanceof ExecutionException ? e.getCause() : e);
            }
            assertEquals(0, batch.target().get(JAVA_BYTE, 0), "what was given up was placed");
        }
    }

    /**
     * A full heap may stop all virtual threads of a JVM, without a word; busy ones do the same.
     * Catches a batch that never completes then, and a deadline that nobody hears.
     */
    @Test
    void completesAndMeetsDeadlinesWhereNoVirtualThreadRuns() throws Exception {
        byte[] target = new byte[1];
        ReadBatch batch = new ReadBatch(MemorySegment.ofArray(target));
        batch.add(batch.addFile(Files.write(folder.resolve("file"), new byte[] {1})), 0, 1, 0);
        CountDownLatch late = new CountDownLatch(1);
        AtomicBoolean isOver = new AtomicBoolean();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            Thread.startVirtualThread(() -> {
                while (!isOver.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        try (RangeReader reader = open();
                AutoCloseable _ = () -> isOver.set(true)) {
            gate.countDown();
            var _ = new ReadFuture<>(_ -> late.countDown()).orTimeout(1, MILLISECONDS);
            reader.readAsync(batch).get(30, SECONDS);
            assertEquals(1, target[0]);
            assertTrue(late.await(30, SECONDS));
        }
    }
}
