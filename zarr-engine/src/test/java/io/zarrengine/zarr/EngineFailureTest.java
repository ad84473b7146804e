package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.device.HostMemoryDevices;
import io.zarrengine.zarr.errors.EngineFailedException;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.execute.QueueFactory;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.store.ChunkFiles;
import io.zarrengine.zarr.task.ReadRequest;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that an engine fails as a whole when an allocation on the heap fails in one of its threads.
 * Each fault is put in one place, so that it comes in every run.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EngineFailureTest {
    private static final int READS = 40;

    @TempDir private Path folder;
    private SampleArray sample;
    private final AtomicInteger faults = new AtomicInteger(); // that are still to come

    @BeforeEach
    void write() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT32, 300, 400)
                        .chunkShape(50, 400)
                        .codecs(List.of(CodecSpec.sharding(new long[] {10, 50}, CodecSpec.bytes())))
                        .build();
        try (ZarrEngine writer = ZarrEngine.open()) {
            sample = SampleArray.write(writer, folder.resolve("array"), metadata);
        }
    }

    private static ZarrEngineBuilder builder() {
        return ZarrEngine.builder().workers(2).budgetBytes(32 << 20);
    }

    /** {@code method}: throws as long as there are faults. */
    private QueueFactory failing(QueueFactory queues, String method) {
        return (capacity, memory) -> {
            failIf(method.equals("newQueue"));
            ReadQueue queue = queues.newQueue(capacity, memory);
            InvocationHandler handler =
                    (proxy, called, arguments) -> {
                        failIf(called.getName().equals(method));
                        return called.invoke(queue, arguments);
                    };
            Class<?>[] types = {ReadQueue.class};
            return (ReadQueue)
                    Proxy.newProxyInstance(ReadQueue.class.getClassLoader(), types, handler);
        };
    }

    private void failIf(boolean isHere) {
        if (isHere && faults.get() > 0 && faults.getAndDecrement() > 0) {
            throw new OutOfMemoryError("a fault of the test");
        }
    }

    private static Executor executor(ZarrEngine engine) {
        return engine.resources().executor();
    }

    /** A request that runs something on the thread that begins one of its chunks. */
    private ReadRequest request(ZarrEngine engine, int chunks, Runnable onChunk) {
        ChunkPlan plan =
                new ChunkPlan() {
                    @Override
                    public long chunks() {
                        return chunks;
                    }

                    @Override
                    public long partCount() {
                        return chunks;
                    }

                    @Override
                    public long[] coordinates(long ordinal) {
                        onChunk.run();
                        throw new IllegalStateException("there is no such chunk");
                    }

                    @Override
                    public List<Region> parts(long ordinal) {
                        throw new AssertionError("not asked");
                    }
                };
        ChunkFiles files = engine.resources().newChunkFiles(null, folder);
        ArrayPipeline pipelines = new ArrayPipeline("document", sample.metadata());
        var source = new ReadRequest.Source(files, null, pipelines, MemorySegment.NULL, true);
        return new ReadRequest(source, plan, MemorySegment.NULL);
    }

    private static void throwFault() {
        throw new OutOfMemoryError("a fault of the test");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Catches reads that hang, or that end with anything but right data or the one exception. */
    @ParameterizedTest
    @CsvSource({"newQueue, 1", "attach, 1", "read, 1", "poll, 1", "await, 1", "wake, 1", "wake, 5"})
    void allReadsEndWithTheEngine(String method, int count) {
        Set<Throwable> failures = ConcurrentHashMap.newKeySet();
        AtomicInteger told = new AtomicInteger();
        boolean isAtOnce = method.equals("newQueue");
        faults.set(isAtOnce ? count : 0);
        try (ZarrEngine engine = builder().queues(queues -> failing(queues, method)).open();
                ZarrArray array = engine.openArray(sample.path())) {
            List<CompletableFuture<HostTensor>> reads = new ArrayList<>();
            while (reads.size() < READS || faults.get() > 0) {
                if (reads.size() == READS / 2 && !isAtOnce) {
                    faults.set(count);
                }
                try {
                    CompletableFuture<HostTensor> read = array.readAsync(Selection.all());
                    reads.add(read);
                    if (reads.size() % 2 == 0) {
                        var _ = read.whenComplete((_, _) -> told.incrementAndGet());
                    }
                } catch (EngineFailedException e) {
                    failures.add(e);
                    break;
                }
            }
            reads.forEach(read -> checkEnd(read, failures));
            assertThrows(EngineFailedException.class, () -> array.read(Selection.all()).close());
            assertEquals(1, failures.size(), failures::toString);
            assertEquals(
                    "the engine has failed: java.lang.OutOfMemoryError: Java's heap is full",
                    failures.iterator().next().getMessage());
            while (told.get() < reads.size() / 2) {
                Thread.onSpinWait();
            }
        }
        faults.set(0);
        checkAnotherEngine();
    }

    private void checkEnd(CompletableFuture<HostTensor> read, Set<Throwable> failures) {
        try (HostTensor tensor = read.join()) {
            assertArrayEquals(sample.all(), tensor.segment().toArray(JAVA_BYTE));
        } catch (CompletionException e) {
            failures.add(assertInstanceOf(EngineFailedException.class, e.getCause()));
        }
    }

    private void checkAnotherEngine() {
        try (ZarrEngine engine = builder().open();
                ZarrArray array = engine.openArray(sample.path());
                HostTensor tensor = array.read(Selection.all())) {
            assertArrayEquals(sample.all(), tensor.segment().toArray(JAVA_BYTE));
        }
    }

    /** Catches a read whose target is free while a worker still writes there. */
    @Test
    void aReadEndsWhenNoWorkerWorksOnIt() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        try (ZarrEngine engine = builder().open()) {
            ReadRequest held =
                    request(
                            engine,
                            1,
                            () -> {
                                begun.countDown();
                                await(gate);
                            });
            CountDownLatch ended = new CountDownLatch(1);
            held.whenEnded(_ -> ended.countDown());
            executor(engine).submit(held);
            begun.await();
            assertEndsAfter(gate, ended, engine);
        }
    }

    /** Catches a read whose target is free while its caller still writes there. */
    @Test
    void aReadEndsWhenItsCallerNoLongerHelps() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        try (ZarrEngine engine = builder().readingNow().open()) {
            ReadRequest helped =
                    request(
                            engine,
                            1,
                            () -> {
                                begun.countDown();
                                await(gate);
                            });
            CountDownLatch ended = new CountDownLatch(1);
            helped.whenEnded(_ -> ended.countDown());
            Thread.ofPlatform().start(() -> executor(engine).submitAndHelp(helped, 1));
            begun.await();
            assertEndsAfter(gate, ended, engine);
        }
    }

    /** Makes an engine fail while a request is held up at a gate. */
    private void assertEndsAfter(CountDownLatch gate, CountDownLatch ended, ZarrEngine engine)
            throws InterruptedException {
        try {
            executor(engine).submit(request(engine, 1, EngineFailureTest::throwFault));
            awaitFailure(engine);
            Thread.sleep(50); // Long enough for a thread that does not wait.
            assertEquals(1, ended.getCount());
        } finally {
            gate.countDown();
        }
        ended.await();
    }

    /** Catches a caller that waits for parts of a read that its own thread has lost. */
    @Test
    void aCallerThatHelpsFailsTheEngine() {
        try (ZarrEngine engine = builder().readingNow().open()) {
            ReadRequest helped = request(engine, 3, EngineFailureTest::throwFault);
            executor(engine).submitAndHelp(helped, 1);
            assertThrows(EngineFailedException.class, helped::await);
            ReadRequest refused = request(engine, 1, () -> {});
            assertThrows(EngineFailedException.class, () -> executor(engine).submit(refused));
            assertFalse(refused.hasBegun());
        }
    }

    /** Catches a read whose listener is lost because there was no memory to call it. */
    @Test
    void aListenerThatHasNoMemoryIsCalledAgain() throws InterruptedException {
        try (ZarrEngine engine = builder().open()) {
            AtomicInteger calls = new AtomicInteger();
            CountDownLatch told = new CountDownLatch(1);
            ReadRequest request = request(engine, 1, () -> {});
            request.whenEnded(_ -> {
                if (calls.incrementAndGet() < 4) {
                    throwFault();
                }
                told.countDown();
            });
            executor(engine).submit(request);
            told.await();
            assertThrows(IllegalStateException.class, request::await); // Its own failure.
            ReadRequest next = request(engine, 1, () -> {});
            assertThrows(EngineFailedException.class, () -> executor(engine).submit(next));
            assertEquals(4, calls.get());
        }
    }

    /** Catches a read of a device that hangs, and its memory that is not given back. */
    @Test
    void aDeviceThreadFailsTheEngine() {
        HostMemoryDevices devices = new HostMemoryDevices();
        try (ZarrEngine engine = builder().deviceProvider(devices).open();
                ZarrArray array = engine.openArray(sample.path())) {
            array.readAsync(Selection.all(), Target.cuda(0)).join().close();
            List<CompletableFuture<DeviceTensor>> reads = new ArrayList<>();
            for (int i = 0; i < READS; i++) {
                if (i == READS / 2) {
                    devices.failHeap();
                }
                try {
                    reads.add(array.readAsync(Selection.all(), Target.cuda(0)));
                } catch (EngineFailedException e) {
                    assertTrue(i >= READS / 2);
                }
            }
            assertTrue(reads.size() <= READS / 2);
            for (CompletableFuture<DeviceTensor> read : reads) {
                try {
                    read.join().close();
                } catch (CompletionException e) {
                    assertInstanceOf(EngineFailedException.class, e.getCause());
                }
            }
            assertFalse(devices.isLent());
        }
    }

    /** Catches a close that waits for a request of a failed engine. */
    @Test
    void whatIsClosedWhileItFailsEnds() throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            ReadRequest lost;
            try (ZarrEngine engine = builder().open()) {
                lost = request(engine, 2, EngineFailureTest::throwFault);
                executor(engine).submit(lost);
            }
            assertThrows(RuntimeException.class, lost::await);
        }
    }

    private void awaitFailure(ZarrEngine engine) {
        Throwable refusal = null;
        while (refusal == null) {
            ReadRequest probe = request(engine, 0, () -> {});
            try {
                executor(engine).submit(probe);
            } catch (EngineFailedException e) {
                refusal = e;
            }
        }
        Throwable again =
                assertThrows(
                        EngineFailedException.class,
                        () -> executor(engine).submit(request(engine, 1, () -> {})));
        assertSame(refusal, again);
    }
}
