package io.zarrengine.zarr;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.task.HostReadFuture;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Completion of reads, with a worker that blocks as long as the test wants. Fails if a future
 * completes early or never, or if a listener blocks the worker.
 */
@Timeout(60)
final class HostReadFutureTest {
    @TempDir private Path folder;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private ZarrEngine engine;
    private ZarrArray array;
    private SampleArray sample;

    @BeforeEach
    void open() {
        Path path = folder.resolve("array");
        try (ZarrEngine writer = ZarrEngine.open()) {
            sample = SampleArray.writeShards(writer, path, NumericType.INT32, CodecSpec.bytes());
        }
        engine =
                ZarrEngine.builder()
                        .workers(1)
                        .queues(queues -> WatchedReads.of(queues, this::holdUp))
                        .open();
        array = engine.openArray(path);
    }

    @AfterEach
    void close() {
        gate.countDown();
        array.close();
        engine.close();
    }

    private void holdUp(Object[] read) throws InterruptedException {
        begun.countDown();
        gate.await();
    }

    private CompletableFuture<HostTensor> read() {
        return array.readAsync(Selection.all());
    }

    /** The read has ended, but the future is not complete: its result is discarded, not leaked. */
    @Test
    void discardsTheResultOfACancelledRead() {
        ReadRequest request =
                new ReadRequest(
                        new ReadRequest.Source(
                                engine.resources().newChunkFiles(null, folder),
                                null,
                                null,
                                MemorySegment.NULL,
                                true,
                                null),
                        array.selector().select(Selection.of("0:0, ...")).plan(),
                        MemorySegment.NULL);
        AtomicInteger discarded = new AtomicInteger();
        HostReadFuture<String> future =
                HostReadFuture.of(request, () -> "a result", discarded::incrementAndGet);
        // runs before the future's own listener, which was added first
        request.whenEnded(failure -> {
            assertNull(failure);
            request.fail(new CancellationException("too late"));
        });
        engine.resources().executor().submit(request);
        assertThrows(CancellationException.class, future::join);
        assertEquals(1, discarded.get());
    }

    /** Ways to run a listener when a future has completed. */
    enum Listening {
        THEN_RUN,
        WHEN_COMPLETE,
        THEN_COMPOSE,
        COMBINED_WITH,
        COPY,
        STAGE,
        ALL_OF,
        ANY_OF;

        CompletionStage<?> hang(CompletableFuture<?> future, Runnable listener) {
            CompletableFuture<Integer> done = CompletableFuture.completedFuture(1);
            return switch (this) {
                case THEN_RUN -> future.thenRun(listener);
                case WHEN_COMPLETE -> future.whenComplete((value, e) -> listener.run());
                case THEN_COMPOSE -> future.thenCompose(value -> done.thenRun(listener));
                case COMBINED_WITH -> done.runAfterBoth(future, listener);
                case COPY -> future.copy().thenRun(listener);
                case STAGE -> future.minimalCompletionStage().thenRun(listener);
                case ALL_OF -> CompletableFuture.allOf(future, done).thenRun(listener);
                case ANY_OF -> CompletableFuture.anyOf(future).thenRun(listener);
            };
        }
    }

    /** A listener may take long, and may even wait for another read of the same worker. */
    @ParameterizedTest
    @EnumSource
    void runsAListenerThatReadsAgain(Listening listening) throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        CompletableFuture<HostTensor> read = read();
        CompletionStage<?> _ =
                listening.hang(
                        read,
                        () -> {
                            read().join().close();
                            ran.complete(Thread.currentThread());
                        });
        gate.countDown();
        assertTrue(ran.get(30, TimeUnit.SECONDS).isVirtual());
        read.join().close();
    }

    /**
     * A thread adds a listener to a future that has ended, and no other thread asks for its result.
     */
    @ParameterizedTest
    @EnumSource
    void runsAListenerThatIsAddedLate(Listening listening) throws Exception {
        gate.countDown();
        for (int i = 0; i < 50; i++) {
            CompletableFuture<HostTensor> read = read();
            LockSupport.parkNanos(i * 4_000L);
            CompletableFuture<Void> ran = new CompletableFuture<>();
            CompletionStage<?> _ = listening.hang(read, () -> ran.complete(null));
            ran.get(30, TimeUnit.SECONDS);
            read.join().close();
        }
    }

    /** The thread only polls {@code isDone}. */
    @Test
    void completesAReadThatIsOnlyPolled() throws InterruptedException {
        gate.countDown();
        CompletableFuture<HostTensor> read = read();
        while (!read.isDone()) {
            Thread.sleep(1);
        }
        read.resultNow().close();
    }

    /**
     * The waiting thread does not run the listeners, with one exception: if it wakes before the
     * listener has begun, {@code join} itself may run it. The scheduler decides how often.
     */
    @Test
    void runsListenersOnVirtualThreadsWhileAThreadWaits() throws InterruptedException {
        Queue<Thread> ran = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            CompletableFuture<HostTensor> read = read();
            CompletableFuture<Void> listener = read.thenRun(() -> ran.add(Thread.currentThread()));
            waiting.add(startWaiting(read, future -> future.join().close()));
            waiting.add(listener);
        }
        gate.countDown();
        waiting.forEach(CompletableFuture::join);
        assertEquals(100, ran.size());
        assertTrue(ran.stream().anyMatch(Thread::isVirtual), ran::toString);
    }

    /** Returns when the thread is about to wait. */
    private static CompletableFuture<Void> startWaiting(
            CompletableFuture<HostTensor> read, Consumer<CompletableFuture<HostTensor>> wait)
            throws InterruptedException {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                wait.accept(read);
                                ended.complete(null);
                            } catch (RuntimeException | Error e) {
                                ended.completeExceptionally(e);
                            }
                        });
        while (!Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING).contains(thread.getState())
                && thread.isAlive()) {
            Thread.sleep(1);
        }
        return ended;
    }

    /** The worker wakes only one of two waiting threads. */
    @Test
    void wakesAllWaitingThreads() throws InterruptedException {
        CompletableFuture<HostTensor> read = read();
        Set<HostTensor> got = ConcurrentHashMap.newKeySet();
        Consumer<CompletableFuture<HostTensor>> join = future -> got.add(future.join());
        List<CompletableFuture<Void>> waiting =
                List.of(startWaiting(read, join), startWaiting(read, join), onVirtual(read, join));
        try (ForkJoinPool pool = new ForkJoinPool(1)) {
            CompletableFuture<Void> inPool =
                    CompletableFuture.runAsync(() -> join.accept(read), pool);
            gate.countDown();
            waiting.forEach(CompletableFuture::join);
            inPool.join();
        }
        assertEquals(1, got.size());
        got.forEach(HostTensor::close);
    }

    private static CompletableFuture<Void> onVirtual(
            CompletableFuture<HostTensor> read, Consumer<CompletableFuture<HostTensor>> wait) {
        return CompletableFuture.runAsync(() -> wait.accept(read), Thread::startVirtualThread);
    }

    /** Returns when the thread has waited and is interrupted. */
    private static CompletableFuture<Void> startInterrupted(
            CompletableFuture<HostTensor> read, Consumer<CompletableFuture<HostTensor>> wait)
            throws InterruptedException {
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<Void> waiting =
                startWaiting(
                        read,
                        future -> {
                            waiter.set(Thread.currentThread());
                            wait.accept(future);
                        });
        waiter.get().interrupt();
        return waiting;
    }

    @Test
    void stopsWaitingOnAnInterrupt() throws InterruptedException {
        CompletableFuture<HostTensor> read = read();
        startInterrupted(read, future -> assertThrows(InterruptedException.class, future::get))
                .join();
        assertFalse(read.isDone());
        gate.countDown();
        read.join().close();
    }

    /** {@code join} does not end before the read, and the thread stays interrupted. */
    @Test
    void keepsJoiningDespiteAnInterrupt() throws InterruptedException {
        CompletableFuture<HostTensor> read = read();
        CompletableFuture<Void> waiting =
                startInterrupted(
                        read,
                        future -> {
                            future.join().close();
                            assertTrue(Thread.interrupted());
                        });
        assertFalse(waiting.isDone());
        gate.countDown();
        waiting.join();
    }

    /** Ways in which a caller ends a read, and the outcome of the future. */
    enum Ending {
        CANCEL(CancellationException.class),
        COMPLETE(null),
        COMPLETE_ASYNC(null),
        COMPLETE_ASYNC_FAILS(IllegalStateException.class),
        COMPLETE_EXCEPTIONALLY(IllegalStateException.class),
        COMPLETE_ON_TIMEOUT(null),
        OR_TIMEOUT(TimeoutException.class);

        private final Class<? extends Exception> failure;

        Ending(Class<? extends Exception> failure) {
            this.failure = failure;
        }

        <T> void end(CompletableFuture<T> read, T value) {
            CompletableFuture<T> same =
                    switch (this) {
                        case CANCEL -> ended(read, read.cancel(true));
                        case COMPLETE -> ended(read, read.complete(value));
                        case COMPLETE_ASYNC -> read.completeAsync(() -> value);
                        case COMPLETE_ASYNC_FAILS ->
                                read.completeAsync(() -> {
                                    throw new IllegalStateException();
                                });
                        case COMPLETE_EXCEPTIONALLY ->
                                ended(
                                        read,
                                        read.completeExceptionally(new IllegalStateException()));
                        case COMPLETE_ON_TIMEOUT -> read.completeOnTimeout(value, 1, MILLISECONDS);
                        case OR_TIMEOUT -> read.orTimeout(1, MILLISECONDS);
                    };
            assertSame(read, same);
        }

        private static <T> CompletableFuture<T> ended(CompletableFuture<T> read, boolean inTime) {
            assertTrue(inTime);
            return read;
        }
    }

    /** Returns when later deadlines and tasks have run, and so all earlier ones, on any machine. */
    private static void letDeadlinesPass() throws InterruptedException {
        CompletableFuture.runAsync(() -> {}).join();
        CompletableFuture<Void> later = new CompletableFuture<>();
        later.orTimeout(20, MILLISECONDS)
                .exceptionallyAsync(late -> null, Thread::startVirtualThread)
                .join();
        Thread.sleep(100); // A thread that was woken just before may need a moment.
    }

    /** While a worker may write to the target, the caller must not believe that it owns it. */
    @ParameterizedTest
    @EnumSource
    void completesAnEndedReadAfterItsWorkersLastWrite(Ending ending) throws Exception {
        try (HostTensor instead =
                new HostTensor(NumericType.INT32, new long[] {1}, NativeMemory.allocate(4))) {
            CompletableFuture<HostTensor> read = read();
            begun.await();
            ending.end(read, instead);
            letDeadlinesPass();
            assertFalse(read.isDone());
            gate.countDown();
            if (ending.failure == null) {
                assertSame(instead, read.join());
            } else {
                Throwable failure = assertThrows(Exception.class, read::join);
                assertInstanceOf(
                        ending.failure,
                        failure instanceof CompletionException ? failure.getCause() : failure);
            }
        }
    }

    /** Ending a read that has ended changes nothing, including the memory of its result. */
    @ParameterizedTest
    @EnumSource
    void keepsTheResultOfACompletedRead(Ending ending) throws Exception {
        gate.countDown();
        CompletableFuture<HostTensor> read = read();
        HostTensor tensor = read.join();
        if (ending == Ending.COMPLETE) {
            assertFalse(read.complete(null));
        } else if (ending == Ending.COMPLETE_EXCEPTIONALLY) {
            assertFalse(read.completeExceptionally(new IllegalStateException()));
        } else if (ending == Ending.CANCEL) {
            assertFalse(read.cancel(true));
        } else {
            ending.end(read, null);
        }
        Thread.sleep(5);
        assertSame(tensor, read.join());
        assertArrayEquals(sample.all(), tensor.segment().toArray(ValueLayout.JAVA_BYTE));
        tensor.close();
    }

    /** Many reads at once, awaited in another order than they were begun. */
    @Test
    void completesManyReads() {
        gate.countDown();
        for (int round = 0; round < 20; round++) {
            List<CompletableFuture<HostTensor>> reads =
                    IntStream.range(0, 40).mapToObj(i -> read()).toList();
            reads.reversed().getFirst().join();
            CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).join();
            reads.forEach(read -> read.resultNow().close());
        }
    }
}
