package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.CompletableFuture.runAsync;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.Caching;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.extension.BytesDecoder;
import io.zarrengine.zarr.extension.CodecProvider;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Small reads: fails if the waiting thread leaves a read in the page cache to the workers, or takes
 * one that they should do. A codec records the threads that run it.
 */
final class CallerReadTest {
    private static final int CHUNKS = 64;
    private static final int CHUNK_BYTES = 1000;
    private static final byte BROKEN = -1;
    private static final byte INTERRUPTED = -2; // broken, and interrupts its reader

    private static final String DOCUMENT =
            """
            {"zarr_format": 3, "node_type": "array", "shape": [64000], "data_type": "uint8",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1000]}},
             "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
             "codecs": [{"name": "bytes"}, {"name": "witness"}]}
            """;

    @TempDir private Path folder;
    private final Set<Thread> decodedBy = ConcurrentHashMap.newKeySet();

    private final Semaphore gate = new Semaphore(1);

    private final BytesDecoder witness =
            new BytesDecoder() {
                @Override
                public long encodedBytesMax(long decodedBytes) {
                    return decodedBytes;
                }

                @Override
                public long decode(MemorySegment encoded, MemorySegment target) throws IOException {
                    decodedBy.add(Thread.currentThread());
                    gate.acquireUninterruptibly();
                    gate.release();
                    byte first = encoded.get(JAVA_BYTE, 0);
                    if (first == INTERRUPTED) {
                        Thread.currentThread().interrupt();
                    }
                    if (first == BROKEN || first == INTERRUPTED) {
                        throw new IOException("broken");
                    }
                    target.copyFrom(encoded);
                    return encoded.byteSize();
                }
            };

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("zarr.json"), DOCUMENT);
        Files.createDirectory(folder.resolve("c"));
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            byte[] bytes = new byte[CHUNK_BYTES];
            Arrays.fill(bytes, (byte) chunk);
            Files.write(folder.resolve("c/" + chunk), bytes);
        }
    }

    private ZarrEngine open(Caching caching) {
        return builder().caching(caching).open();
    }

    private ZarrEngineBuilder builder() {
        CodecProvider provider =
                (name, configuration) ->
                        name.equals("witness") ? Optional.of(witness) : Optional.empty();
        return ZarrEngine.builder().codecs(provider);
    }

    private static byte[] expected(int from, int to) {
        byte[] expected = new byte[to - from];
        for (int i = from; i < to; i++) {
            expected[i - from] = (byte) (i / CHUNK_BYTES);
        }
        return expected;
    }

    private static byte[] read(ZarrArray array, int from, int to) {
        byte[] target = new byte[to - from];
        array.read(Selection.of(from + ":" + to), MemorySegment.ofArray(target));
        return target;
    }

    @Test
    void readsASmallCachedSelectionOnTheCallingThread() {
        try (ZarrEngine engine = open(Caching.BUFFERED);
                ZarrArray array = engine.openArray(folder)) {
            assumeTrue(engine.io() == ZarrEngine.Io.URING, "only there pages can be asked for");
            assertArrayEquals(expected(500, 2500), read(array, 500, 2500));
            assertEquals(Set.of(Thread.currentThread()), decodedBy);
        }
    }

    /** Beyond a few chunks the workers are faster, and the caller must not delay them. */
    @Test
    void sharesManyChunksBetweenTheCallerAndWorkers() {
        try (ZarrEngine engine = open(Caching.BUFFERED);
                ZarrArray array = engine.openArray(folder)) {
            assumeTrue(engine.io() == ZarrEngine.Io.URING, "only there pages can be asked for");
            assertArrayEquals(expected(0, 64_000), read(array, 0, 64_000));
            assertTrue(decodedBy.contains(Thread.currentThread()));
            assertTrue(decodedBy.size() > 1, "no worker took part");
        }
    }

    /** A read that bypasses the page cache finds nothing there: all of it goes to the workers. */
    @ParameterizedTest
    @EnumSource(Caching.class)
    void readsRightWithEachKindOfCaching(Caching caching) {
        try (ZarrEngine engine = open(caching);
                ZarrArray array = engine.openArray(folder)) {
            assertArrayEquals(expected(500, 9500), read(array, 500, 9500));
            assertArrayEquals(expected(999, 1001), read(array, 999, 1001));
            assertArrayEquals(expected(0, 64_000), read(array, 0, 64_000));
        }
    }

    @Test
    void namesACorruptChunk() throws IOException {
        Path broken = folder.resolve("c/1");
        byte[] bytes = new byte[CHUNK_BYTES];
        bytes[0] = BROKEN;
        Files.write(broken, bytes);
        try (ZarrEngine engine = open(Caching.BUFFERED);
                ZarrArray array = engine.openArray(folder)) {
            CorruptChunkException e =
                    assertThrows(CorruptChunkException.class, () -> read(array, 500, 2500));
            assertTrue(e.getMessage().contains(broken + ": witness: broken"), e::getMessage);
            assertArrayEquals(expected(2000, 2500), read(array, 2000, 2500));
        }
    }

    @Test
    void keepsTheInterruptWhenAReadFails() throws IOException {
        byte[] bytes = new byte[CHUNK_BYTES];
        bytes[0] = INTERRUPTED;
        Files.write(folder.resolve("c/1"), bytes);
        try (ZarrEngine engine = open(Caching.BUFFERED);
                ZarrArray array = engine.openArray(folder)) {
            assumeTrue(engine.io() == ZarrEngine.Io.URING, "only there pages can be asked for");
            assertThrows(RuntimeException.class, () -> read(array, 500, 2500));
            assertTrue(Thread.interrupted());
        }
    }

    /** Channels cannot ask which pages are in memory, and an interrupt closes a channel. */
    @Test
    void leavesReadsToWorkersWithChannels() {
        try (ZarrEngine engine = builder().io(ZarrEngine.Io.CHANNEL).open();
                ZarrArray array = engine.openArray(folder)) {
            assertArrayEquals(expected(500, 2500), read(array, 500, 2500));
            assertEquals(
                    0,
                    engine.resources().executor().budget().bytesReserved(),
                    "what a runner holds");
        }
    }

    /**
     * A caller may free its target when the future has completed, so the future must not complete
     * early. Deadlines do not wait for other tasks in the common pool.
     */
    @Test
    void completesATimedOutReadAfterItsLastWrite() throws Exception {
        CountDownLatch commonPoolMayGoOn = new CountDownLatch(1);
        try (ZarrEngine engine = open(Caching.BUFFERED);
                ZarrArray array = engine.openArray(folder)) {
            for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
                ForkJoinPool.commonPool().execute(() -> awaitQuietly(commonPoolMayGoOn));
            }
            gate.acquire();
            byte[] target = new byte[64_000];
            CompletableFuture<Void> read =
                    array.readAsync(Selection.all(), MemorySegment.ofArray(target))
                            .orTimeout(1, MILLISECONDS);
            runAsync(() -> {}, delayedExecutor(1, MILLISECONDS, Thread::startVirtualThread))
                    .join(); // The task due after a millisecond has begun.
            Thread.sleep(50); // A worker is inside the codec, or will not enter it.
            boolean isInside = !decodedBy.isEmpty();
            assertTrue(!isInside || !read.isDone(), "completed while its target was written");
            gate.release();
            CompletionException e = assertThrows(CompletionException.class, read::join);
            assertInstanceOf(TimeoutException.class, e.getCause());
        } finally {
            commonPoolMayGoOn.countDown();
        }
    }

    /** Includes a recording that starts after a read of the engine, which made no event. */
    @Test
    void recordsEachRead() throws Exception {
        try (ZarrEngine engine = open(Caching.BUFFERED);
                ZarrArray array = engine.openArray(folder)) {
            read(array, 0, 100);
            Path file = folder.resolve("recording.jfr");
            try (Recording recording = new Recording()) {
                recording.enable("io.zarrengine.Read");
                recording.start();
                read(array, 500, 2500);
                recording.stop();
                recording.dump(file);
            }
            List<RecordedEvent> events =
                    RecordingFile.readAllEvents(file).stream()
                            .filter(e -> e.getEventType().getName().equals("io.zarrengine.Read"))
                            .filter(e -> e.getString("array").equals(folder.toString()))
                            .toList(); // A recording covers the whole JVM.
            assertEquals(1, events.size());
            assertEquals(3, events.getFirst().getLong("chunks"));
            assertEquals(2000, events.getFirst().getLong("targetBytes"));
        }
    }

    /** There are more threads than runners to lend: each thread gets its own bytes. */
    @Test
    void readsFromManyThreadsAtOnce() throws Exception {
        try (ZarrEngine engine = open(Caching.BUFFERED);
                ZarrArray array = engine.openArray(folder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                int from = 37 * i;
                all.add(
                        threads.submit(() ->
                                assertArrayEquals(
                                        expected(from, from + 3000),
                                        read(array, from, from + 3000))));
            }
            for (Future<?> read : all) {
                read.get();
            }
        }
    }
}
