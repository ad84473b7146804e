package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many readers at once, cancelled and closed under load, in little memory. Fails on wrong bytes, a
 * read that never ends, or a leak of threads, files or memory.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EngineStressTest {
    @TempDir Path folder;

    private SampleArray sample(ZarrEngine engine) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 200, 300)
                        .chunkShape(100, 100)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {10, 10},
                                                CodecSpec.bytes(),
                                                CodecSpec.gzip(1))))
                        .build();
        return SampleArray.write(engine, folder.resolve("array"), metadata);
    }

    private static BoxPositions randomBox(SplittableRandom random) {
        long[] offset = {random.nextLong(180), random.nextLong(280)};
        long[] shape = {1 + random.nextLong(20), 1 + random.nextLong(20)};
        return new BoxPositions(offset, shape, new long[] {1, 1});
    }

    /**
     * The budget is 64 MiB. Every third read is cancelled at some time; the others must be right.
     */
    @Test
    void readsFromTenThousandVirtualThreadsAtOnce() throws Exception {
        try (ZarrEngine engine = ZarrEngine.builder().budgetBytes(64 << 20).open();
                ZarrArray array = engine.openArray(sample(engine).path());
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            SampleArray sample = new SampleArray(array.path(), array.metadata());
            List<Future<Boolean>> done = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                SplittableRandom random = new SplittableRandom(i);
                BoxPositions box = randomBox(random);
                done.add(
                        i % 3 == 0
                                ? readers.submit(() -> giveUp(array, sample, box, random))
                                : readers.submit(() -> readAndCompare(array, sample, box)));
            }
            int read = 0;
            for (Future<Boolean> reader : done) {
                read += reader.get() ? 1 : 0;
            }
            assertTrue(read >= 6666, "of those that were not given up too: " + read);
            assertTrue(read < 10_000, "no read was given up in time");
        }
    }

    private static boolean readAndCompare(ZarrArray array, SampleArray sample, BoxPositions box) {
        try (HostTensor tensor = array.read(box.selection())) {
            assertArrayEquals(sample.expected(box), tensor.segment().toArray(JAVA_BYTE));
        }
        return true;
    }

    /** Returns whether the read succeeded despite the cancellation. */
    private static boolean giveUp(
            ZarrArray array, SampleArray sample, BoxPositions box, SplittableRandom random) {
        CompletableFuture<HostTensor> read = array.readAsync(box.selection());
        for (int spin = random.nextInt(3000); spin > 0; spin--) {
            Thread.onSpinWait();
        }
        read.cancel(true);
        try (HostTensor tensor = read.join()) {
            assertArrayEquals(sample.expected(box), tensor.segment().toArray(JAVA_BYTE));
            return true;
        } catch (CancellationException e) {
            return false;
        }
    }

    /** A cancelled read ends soon, and no worker writes to its target afterwards. */
    @Test
    void writesNothingToTargetsOfCancelledReads() throws InterruptedException {
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrArray array = engine.openArray(sample(engine).path());
                Arena arena = Arena.ofShared()) {
            byte[] all = new SampleArray(array.path(), array.metadata()).all();
            SplittableRandom random = new SplittableRandom(3);
            List<MemorySegment> targets = new ArrayList<>();
            int cancelled = 0;
            for (int i = 0; i < 300; i++) {
                MemorySegment target = arena.allocate(200 * 300 * 2);
                CompletableFuture<Void> read = array.readAsync(Selection.all(), target);
                for (int spin = random.nextInt(2000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                read.cancel(true);
                try {
                    read.join();
                    assertArrayEquals(all, target.toArray(JAVA_BYTE));
                } catch (CancellationException e) {
                    cancelled++;
                    assertTrue(read.isCancelled());
                }
                targets.add(target.fill((byte) 0x5A));
            }
            Thread.sleep(50); // A late writer would write by now.
            for (MemorySegment target : targets) {
                assertEquals(-1, target.mismatch(MemorySegment.ofArray(filled(target.byteSize()))));
            }
            assertTrue(cancelled > 0, "no read was cancelled in time");
        }
    }

    private static byte[] filled(long bytes) {
        byte[] filled = new byte[(int) bytes];
        Arrays.fill(filled, (byte) 0x5A);
        return filled;
    }

    /** Some reads end before, all others fail, and no caller waits for ever. */
    @Test
    void endsEveryReadWhenClosedUnderLoad() throws Exception {
        Path path;
        byte[] all;
        try (ZarrEngine writer = ZarrEngine.open()) {
            SampleArray sample = sample(writer);
            path = sample.path();
            all = sample.all();
        }
        int closed = 0;
        for (int round = 0; round < 30; round++) {
            ZarrEngine engine = ZarrEngine.open();
            ZarrArray array = engine.openArray(path);
            List<CompletableFuture<HostTensor>> reads = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                reads.add(array.readAsync(Selection.all()));
            }
            if (round % 2 == 0) { // in the other rounds the workers have hardly begun
                assertTrue(endsWell(reads.removeFirst(), all), "refused by an open engine");
            }
            engine.close();
            for (CompletableFuture<HostTensor> future : reads) {
                closed += endsWell(future, all) ? 0 : 1;
            }
            array.close();
        }
        assertTrue(closed > 0, "closing has failed no read");
    }

    /** Returns false if the engine was closed. */
    private static boolean endsWell(CompletableFuture<HostTensor> read, byte[] all)
            throws Exception {
        try (HostTensor tensor = read.get(30, TimeUnit.SECONDS)) {
            assertArrayEquals(all, tensor.segment().toArray(JAVA_BYTE));
            return true;
        } catch (ExecutionException e) {
            assertEquals(ClosedException.class, e.getCause().getClass());
            return false;
        }
    }

    /** The caller has no engine to close, so its workers would run on with their memory. */
    @Test
    void leavesNoThreadWhenOpeningFails() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        ZarrEngineBuilder builder = ZarrEngine.builder().dataTypes(null);
        assertThrows(NullPointerException.class, builder::open);
        Set<Thread> after = new HashSet<>(Thread.getAllStackTraces().keySet());
        after.removeAll(before);
        after.removeIf(thread -> !thread.getName().startsWith("zarr-engine-worker"));
        assertEquals(Set.of(), after);
    }

    @Test
    void leavesNoFileOpenAfterClose() throws Exception {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "no /proc");
        try (ZarrEngine engine = ZarrEngine.open()) {
            Path path = sample(engine).path();
            readOnce(path);
            long before = count(descriptors);
            for (int i = 0; i < 20; i++) {
                readOnce(path);
            }
            long after = count(descriptors);
            assertTrue(after <= before + 3, before + " descriptors before, " + after + " after");
        }
    }

    /** The closing thread frees the workers' read memory after they have ended. */
    @Test
    void leavesNoMemoryMappedAfterClose() throws Exception {
        Path status = Path.of("/proc/self/status");
        assumeTrue(Files.exists(status), "no /proc");
        try (ZarrEngine engine = ZarrEngine.open()) {
            Path path = sample(engine).path();
            readOnce(path);
            long before = mappedBytes(status);
            int rounds = 40;
            for (int i = 0; i < rounds; i++) {
                readOnce(path);
            }
            long left = mappedBytes(status) - before;
            long leftEachMax = 8 << 20; // of the 64 MiB that an engine takes at least
            assertTrue(left < rounds * leftEachMax, left + " bytes more are mapped");
        }
    }

    private static long mappedBytes(Path status) throws Exception {
        try (Stream<String> lines = Files.lines(status)) {
            String size = lines.filter(line -> line.startsWith("VmSize:")).findAny().orElseThrow();
            return Long.parseLong(size.replaceAll("\\D", "")) << 10;
        }
    }

    private static void readOnce(Path path) {
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrArray array = engine.openArray(path)) {
            array.read(Selection.all()).close();
        }
    }

    private static long count(Path descriptors) throws Exception {
        try (Stream<Path> open = Files.list(descriptors)) {
            return open.count();
        }
    }

    /** Chunks larger than a worker's own memory share the rest of the budget. */
    @Test
    void readsChunksLargerThanAWorkersMemory() {
        try (ZarrEngine engine = ZarrEngine.builder().workers(2).budgetBytes(16L << 20).open()) {
            SampleArray sample =
                    SampleArray.write(engine, folder.resolve("large"), largeChunks(2L << 20));
            BoxPositions box =
                    new BoxPositions(new long[] {5}, new long[] {1000}, new long[] {7919});
            try (ZarrArray array = engine.openArray(sample.path())) {
                readAndCompare(array, sample, box);
                readAndCompare(array, sample, box);
            }
        }
    }

    /** Callers that read for themselves keep memory for the next read, but a worker may need it. */
    @Test
    void givesALargeChunkTheMemoryOfIdleCallers() throws Exception {
        Path path = folder.resolve("large");
        SplittableRandom random = new SplittableRandom(1);
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(path, largeChunks(2400 << 10))
                    .writeAll((chunk, elements) -> {
                        for (long i = 0; i < elements.byteSize(); i++) {
                            elements.set(JAVA_BYTE, i, (byte) random.nextInt());
                        }
                    });
        }
        SampleArray small;
        try (ZarrEngine engine = ZarrEngine.open()) {
            small =
                    SampleArray.writeShards(
                            engine, folder.resolve("small"), NumericType.INT32, CodecSpec.bytes());
        }
        try (ZarrEngine engine = ZarrEngine.builder().workers(3).budgetBytes(16L << 20).open();
                ZarrArray large = engine.openArray(path);
                ZarrArray others = engine.openArray(small.path())) {
            try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
                for (int i = 0; i < 1200; i++) {
                    threads.execute(() -> others.read(Selection.all()).close());
                }
            }
            large.readAsync(Selection.all()).get(30, TimeUnit.SECONDS).close();
        }
    }

    @Test
    void refusesAChunkLargerThanTheBudget() {
        Path path = folder.resolve("large");
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(path, largeChunks(12L << 20))
                    .writeAll((chunk, elements) -> elements.fill((byte) 1));
        }
        try (ZarrEngine engine = ZarrEngine.builder().workers(2).budgetBytes(16L << 20).open();
                ZarrArray array = engine.openArray(path)) {
            BudgetExceededException e =
                    assertThrows(
                            BudgetExceededException.class, () -> array.read(Selection.of("5:10")));
            assertTrue(e.getMessage().contains("/c/0 needs "), e::getMessage);
        }
    }

    private static ArrayMetadata largeChunks(long chunk) {
        return ArrayMetadata.builder(NumericType.UINT8, 8L << 20)
                .chunkShape(chunk)
                .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                .build();
    }

    /** The purpose of the ring: many reads in few system calls. */
    @Test
    void readsAThousandInnerChunksInFewSystemCalls() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 4096, 4096)
                        .chunkShape(4096, 4096)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {64, 128}, CodecSpec.bytes())))
                        .build();
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).queues(queues -> queues).open()) {
            assumeTrue(engine.io() == ZarrEngine.Io.URING, "no io_uring");
            engine.createArray(folder.resolve("large"), metadata)
                    .writeAll((chunk, elements) -> elements.fill((byte) 1));
            try (ZarrArray array = engine.openArray(folder.resolve("large"))) {
                // An element of every second inner chunk of 8 KiB: neighbours are not read
                // together.
                Selection apart = Selection.of("::64, ::256");
                array.read(apart).close(); // The index is known from here on.
                EngineMetrics before = engine.metrics();
                array.read(apart).close();
                EngineMetrics after = engine.metrics();
                assertEquals(1024, after.chunksDecoded() - before.chunksDecoded());
                assertEquals(1024, after.reads() - before.reads());
                long calls = after.submissions() - before.submissions();
                assertTrue(calls <= 100, calls + " system calls for 1024 reads");
            }
        }
    }
}
