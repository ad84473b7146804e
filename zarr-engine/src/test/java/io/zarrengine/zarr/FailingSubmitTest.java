package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.execute.QueueFactory;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads that fail in the calling thread after a worker has begun them. Native calls still write to
 * the result. Fails if the engine lends its memory to the next read too early.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FailingSubmitTest {
    private static final long[] SHAPE = {300, 400};
    private static final long BYTES = 480_000; // No caller reads this much itself.

    @TempDir private Path folder;
    private final StackOverflowError failure = new StackOverflowError("to wake a worker");
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private volatile Thread failing; // null: no calls fail, and no read is blocked
    private ZarrEngine engine;
    private ZarrArray array;

    @BeforeEach
    void open() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT32, SHAPE)
                        .chunkShape(50, 400)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        try (ZarrEngine writer = ZarrEngine.open()) {
            SampleArray.write(writer, folder.resolve("array"), metadata);
        }
        engine =
                ZarrEngine.builder()
                        .workers(1)
                        // so that the result has memory of its own, not of a group
                        .budgetBytes(32 << 20)
                        .queues(queues -> failingToWake(WatchedReads.of(queues, this::atGate)))
                        .open();
        array = engine.openArray(folder.resolve("array"));
        array.read(Selection.all()).close(); // makes the engine start its worker
    }

    private void atGate(Object[] read) throws InterruptedException {
        if (failing != null) {
            begun.countDown();
            gate.await();
        }
    }

    /** Makes the call fail after the worker was woken and has begun a read. */
    private QueueFactory failingToWake(QueueFactory queues) {
        return (capacity, memory) -> {
            ReadQueue queue = queues.newQueue(capacity, memory);
            Class<?>[] types = {ReadQueue.class};
            return (ReadQueue)
                    Proxy.newProxyInstance(
                            ReadQueue.class.getClassLoader(),
                            types,
                            (proxy, method, arguments) -> {
                                Object result = method.invoke(queue, arguments);
                                if (method.getName().equals("wake")
                                        && Thread.currentThread().equals(failing)) {
                                    begun.await();
                                    throw failure;
                                }
                                return result;
                            });
        };
    }

    @AfterEach
    void close() {
        gate.countDown();
        array.close();
        engine.close();
    }

    /** Returns the address at which the engine has room for the next result. */
    private long nextResult() {
        try (HostTensor tensor = engine.resources().newTensor(NumericType.INT32, SHAPE, BYTES)) {
            return tensor.segment().address();
        }
    }

    private void assertKeepsItsMemory(Runnable read) throws InterruptedException {
        long result = nextResult();
        assertEquals(result, nextResult(), "what is given back is lent again");
        failing = Thread.currentThread();
        assertSame(failure, assertThrows(StackOverflowError.class, read::run));
        assertNotEquals(result, nextResult(), "a worker may write there");
        gate.countDown();
        while (nextResult() != result) { // It comes back when the worker is done.
            Thread.sleep(1);
        }
    }

    @Test
    void keepsTheResultOfAFailedReadUntilTheLastWrite() throws InterruptedException {
        assertKeepsItsMemory(() -> array.read(Selection.all()).close());
    }

    /** The caller may free its target next, so the failed call must return after the last write. */
    @Test
    void waitsForTheWorkersWhenAReadToTheCallersMemoryFails() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs native access");
        Thread.ofPlatform().start(this::openGateLater);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(BYTES);
            failing = Thread.currentThread();
            assertSame(
                    failure,
                    assertThrows(
                            StackOverflowError.class, () -> array.read(Selection.all(), target)));
            assertEquals(0, gate.getCount(), "a worker was still held up");
        }
    }

    private void openGateLater() {
        try {
            begun.await();
            Thread.sleep(50); // longer than a call that does not wait
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        gate.countDown();
    }

    @Test
    void keepsTheResultOfAFailedAsynchronousReadUntilTheLastWrite() throws InterruptedException {
        assertKeepsItsMemory(() -> array.readAsync(Selection.all()).join().close());
    }
}
