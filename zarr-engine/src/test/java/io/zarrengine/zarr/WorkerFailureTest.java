package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadCounters;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.EngineFailedException;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.execute.QueueFactory;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers that fail, and memory that the machine refuses. Fails if a read does not end with the
 * reason, or if memory leaks or is freed while the kernel may write to it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WorkerFailureTest {
    private static final int CHUNK = 1 << 20; // more than a worker has from the start
    private static final int CHUNKS = 4;
    private static final int STEP = 7919;

    /** See proc_sys_vm(5). */
    private static final Path OVERCOMMIT = Path.of("/proc/sys/vm/overcommit_memory");

    @TempDir Path folder;
    private Path sample;

    @BeforeEach
    void write() {
        try (ZarrEngine engine = ZarrEngine.open()) {
            sample = folder.resolve("array");
            engine.createArray(sample, metadata(CHUNKS * CHUNK, CHUNK))
                    .writeAll((chunk, elements) -> {
                        for (int i = 0; i < CHUNK; i++) {
                            elements.set(JAVA_BYTE, i, element(chunk[0] * CHUNK + i));
                        }
                    });
        }
    }

    private static byte element(long position) {
        return (byte) ((position * 0x9e3779b97f4a7c15L) >>> 40);
    }

    private static ArrayMetadata metadata(long length, long chunk) {
        return ArrayMetadata.builder(NumericType.UINT8, length)
                .chunkShape(chunk)
                .codecs(List.of(CodecSpec.bytes()))
                .build();
    }

    /** A fault of making a queue, or of waiting in it. */
    @FunctionalInterface
    private interface Fault {
        void happen() throws IOException;
    }

    /** Returns a fault that happens {@code times} times, then no more. */
    private static Fault first(int times, Fault fault) {
        AtomicInteger left = new AtomicInteger(times);
        return () -> {
            if (left.getAndDecrement() > 0) {
                fault.happen();
            }
        };
    }

    private static ZarrEngineBuilder builder() {
        return ZarrEngine.builder().budgetBytes(16L << 20);
    }

    private static QueueFactory failing(QueueFactory queues, Fault atOnce) {
        return (capacity, memory) -> {
            atOnce.happen();
            return queues.newQueue(capacity, memory);
        };
    }

    /** Returns queues that fail with reads in flight. */
    private static QueueFactory failingLater(QueueFactory queues, Fault later) {
        return (capacity, memory) -> new FailingQueue(queues.newQueue(capacity, memory), later);
    }

    private static void readAndCompare(ZarrArray array) {
        try (HostTensor tensor = array.read(Selection.of("5::" + STEP))) {
            byte[] expected = new byte[Math.ceilDiv(CHUNKS * CHUNK - 5, STEP)];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = element(5 + i * STEP);
            }
            assertArrayEquals(expected, tensor.segment().toArray(JAVA_BYTE));
        }
    }

    @Test
    void failsTheReadsOfAFailedWorkerAndReplacesIt() {
        Fault bug =
                first(
                        1,
                        () -> {
                            throw new IllegalStateException("a bug");
                        });
        try (ZarrEngine engine = builder().workers(1).queues(q -> failingLater(q, bug)).open();
                ZarrArray array = engine.openArray(sample)) {
            EngineFailedException e =
                    assertThrows(EngineFailedException.class, () -> readAndCompare(array));
            assertTrue(e.getMessage().endsWith("IllegalStateException: a bug"), e::getMessage);
            readAndCompare(array);
        }
    }

    @Test
    void releasesTheBudgetOfAFailedQueue() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs preadv to fall back to");
        Fault broken =
                first(
                        1,
                        () -> {
                            throw new IOException("broken");
                        });
        try (ZarrEngine engine = builder().workers(1).queues(q -> failingLater(q, broken)).open();
                ZarrArray array = engine.openArray(sample)) {
            long budget = engine.resources().executor().options().largeBytesMax();
            StoreException e = assertThrows(StoreException.class, () -> readAndCompare(array));
            assertEquals("read queue: broken", e.getMessage());
            readAndCompare(array);
            try (ZarrArray whole = engine.openArray(oneChunk(budget / 2))) {
                // needs the whole budget: to read, and to decode
                whole.read(Selection.of("5:10")).close();
            }
        }
    }

    private Path oneChunk(long bytes) {
        Path path = folder.resolve("one");
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(path, metadata(bytes, bytes))
                    .writeAll((chunk, elements) -> elements.fill((byte) 1));
        }
        return path;
    }

    /**
     * Reads are in flight to memory of a failed worker, and the engine cannot tell whether they
     * end.
     */
    @Test
    void keepsMemoryThatTheKernelMayWriteTo() {
        List<MemorySegment> memories = new CopyOnWriteArrayList<>(); // of workers
        try (ZarrEngine engine =
                        builder().workers(1).queues(q -> breakingFirst(q, memories)).open();
                ZarrArray array = engine.openArray(sample)) {
            assertThrows(EngineFailedException.class, () -> readAndCompare(array));
            readAndCompare(array); // a new worker has replaced it
        }
        assertEquals(
                List.of(true, false),
                memories.stream().map(memory -> memory.scope().isAlive()).toList());
    }

    /** Returns queues of which the first fails to wait and to drain while reads are in flight. */
    private static QueueFactory breakingFirst(QueueFactory queues, List<MemorySegment> memories) {
        return (capacity, memory) -> {
            ReadQueue queue = queues.newQueue(capacity, memory);
            memories.addAll(memory);
            if (memories.size() > 1) {
                return queue;
            }
            InvocationHandler handler =
                    (proxy, method, arguments) -> {
                        boolean waits = List.of("await", "drain").contains(method.getName());
                        if (waits && queue.inFlight() > 0) {
                            throw new OutOfMemoryError("while reads are in flight");
                        }
                        return method.invoke(queue, arguments);
                    };
            return proxy(handler);
        };
    }

    @Test
    void retriesToMakeAWorker() {
        Fault noMemory =
                first(
                        2,
                        () -> {
                            throw new OutOfMemoryError("none");
                        });
        try (ZarrEngine engine = builder().workers(1).queues(q -> failing(q, noMemory)).open();
                ZarrArray array = engine.openArray(sample)) {
            readAndCompare(array);
        }
    }

    @Test
    void failsQueuedAndNewReadsWithoutWorkers() {
        Fault noMemory =
                () -> {
                    throw new OutOfMemoryError("none at all");
                };
        List<CompletableFuture<HostTensor>> reads = new ArrayList<>();
        try (ZarrEngine engine = builder().workers(2).queues(q -> failing(q, noMemory)).open();
                ZarrArray array = engine.openArray(sample)) {
            for (int i = 0; i < 100; i++) { // some before the workers are gone, some after
                reads.add(array.readAsync(Selection.of("::1000000")));
            }
            for (CompletableFuture<HostTensor> read : reads) {
                CompletionException e = assertThrows(CompletionException.class, read::join);
                assertInstanceOf(EngineFailedException.class, e.getCause());
                assertTrue(e.getMessage().endsWith("OutOfMemoryError: none at all"));
            }
            assertThrows(EngineFailedException.class, () -> readAndCompare(array));
        }
    }

    /** The work is done a little later, and the caller's request does not fail. */
    @Test
    void wakesAWorkerLaterWhenMemoryIsShort() {
        AtomicInteger faults = new AtomicInteger();
        try (ZarrEngine engine = builder().workers(2).queues(q -> failingToWake(q, faults)).open();
                ZarrArray array = engine.openArray(sample)) {
            int left = 0;
            for (int round = 0; round < 20; round++) {
                faults.set(5);
                readAndCompare(array);
                left += Math.max(0, faults.get()); // left over because the worker was awake
            }
            assertTrue(left < 20 * 5, "no fault came");
            faults.set(5); // for the workers that close ends
        }
    }

    private static QueueFactory failingToWake(QueueFactory queues, AtomicInteger faults) {
        return (capacity, memory) -> {
            ReadQueue queue = queues.newQueue(capacity, memory);
            InvocationHandler handler =
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("wake") && faults.getAndDecrement() > 0) {
                            throw new OutOfMemoryError("to wake a worker");
                        }
                        return method.invoke(queue, arguments);
                    };
            return proxy(handler);
        };
    }

    private static ReadQueue proxy(InvocationHandler handler) {
        Class<?>[] types = {ReadQueue.class};
        return (ReadQueue) Proxy.newProxyInstance(ReadQueue.class.getClassLoader(), types, handler);
    }

    @Test
    void replacesQueuesThatTheKernelRefuses() {
        assumeTrue(NativeAccess.denial().isEmpty(), "needs preadv to fall back to");
        Fault refused =
                () -> {
                    throw new IOException("EMFILE");
                };
        try (ZarrEngine engine = builder().workers(2).queues(q -> failing(q, refused)).open();
                ZarrArray array = engine.openArray(sample)) {
            readAndCompare(array);
        }
    }

    /** A chunk needs more memory than any machine has: its reservation is released. */
    @Test
    void failsOnlyTheReadWhoseMemoryIsRefused() throws Exception {
        long bytes = 1L << 43;
        Path path = folder.resolve("huge");
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).budgetBytes(bytes * 4).open()) {
            ArrayMetadata compressed =
                    ArrayMetadata.builder(NumericType.UINT8, bytes)
                            .chunkShape(bytes)
                            .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                            .build();
            Path chunk = path.resolve("c/0");
            Files.createDirectories(chunk.getParent());
            Files.write(path.resolve("zarr.json"), MetadataWriter.write("zarr.json", compressed));
            makeSparse(chunk, bytes);
            try (ZarrArray huge = engine.openArray(path)) {
                for (int i = 0; i < 6; i++) {
                    OutOfMemoryException e =
                            assertThrows(
                                    OutOfMemoryException.class,
                                    () -> huge.read(Selection.of("5:10")).close());
                    assertTrue(e.getMessage().startsWith(chunk + " takes "), e::getMessage);
                }
            }
            try (ZarrArray array = engine.openArray(sample)) {
                readAndCompare(array);
            }
        }
    }

    private static void makeSparse(Path file, long bytes) throws IOException {
        boolean made = false;
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(bytes);
            made = true;
        } catch (IOException e) {
            // The file system has a smaller limit.
        }
        assumeTrue(made, "no file can be so long here");
        // An allocation would not show it: without native access Java would fill it with zeros.
        boolean promisesAll = Files.readString(OVERCOMMIT).strip().equals("1");
        assumeTrue(!promisesAll, "this kernel promises any amount of memory");
    }

    /** A queue that fails while its first reads are in flight. */
    private record FailingQueue(ReadQueue inner, Fault fault) implements ReadQueue {
        @Override
        public int await(ReadListener listener, BooleanSupplier nothingToDo) throws IOException {
            if (inner.inFlight() > 0) {
                fault.happen();
            }
            return inner.await(listener, nothingToDo);
        }

        @Override
        public int poll(ReadListener listener) throws IOException {
            return inner.poll(listener);
        }

        @Override
        public int capacity() {
            return inner.capacity();
        }

        @Override
        public int inFlight() {
            return inner.inFlight();
        }

        @Override
        public int attach(FileHandle file) {
            return inner.attach(file);
        }

        @Override
        public void detach(int fileNumber) {
            inner.detach(fileNumber);
        }

        @Override
        public int attachedMax() {
            return inner.attachedMax();
        }

        @Override
        public void read(
                int fileNumber,
                long fileOffset,
                MemorySegment memory,
                long memoryOffset,
                long bytes,
                int token) {
            inner.read(fileNumber, fileOffset, memory, memoryOffset, bytes, token);
        }

        @Override
        public void wake() {
            inner.wake();
        }

        @Override
        public boolean drain(Duration limit) {
            return inner.drain(limit);
        }

        @Override
        public ReadCounters counters() {
            return inner.counters();
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
