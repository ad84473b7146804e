package io.zarrengine.uring.ranges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadBackend.Method;
import io.zarrengine.uring.ReadQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the death of a worker: its unfinished reads fail, no caller waits forever, and other
 * workers read on.
 */
@Timeout(60)
final class WorkerDeathTest {
    @TempDir Path folder;

    /**
     * Options with about one read in flight at a time, so that a worker waits many times in a small
     * batch.
     */
    private static RangeReaderOptions options(int threads) {
        RangeReaderOptions all = RangeReaderOptions.defaults();
        return new RangeReaderOptions(
                threads,
                4,
                all.bufferBytes(),
                all.batchesMax(),
                all.filesMax(),
                all.recheckAfter(),
                all.caching(),
                all.fuse());
    }

    private ReadBatch batch() throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[1 << 20]);
        ReadBatch batch = new ReadBatch(MemorySegment.ofArray(new byte[1 << 20]));
        int file = batch.addFile(path);
        for (int i = 0; i < 100; i++) {
            batch.add(file, i * 10_000L, 100, i * 100L);
        }
        return batch;
    }

    private static RangeReader open(
            ReadBackend backend, AtomicInteger queues, FaultyQueue.Faults firstOnes) {
        return RangeReader.open(
                backend,
                options(1),
                (capacity, memory) -> {
                    ReadQueue queue = backend.newQueue(capacity, memory);
                    boolean first = queues.getAndIncrement() == 0;
                    return first ? new FaultyQueue(queue, firstOnes) : queue;
                });
    }

    /** At the first read, in the middle, and when all reads are queued and some are in flight. */
    @ParameterizedTest(name = "after {0} reads")
    @ValueSource(longs = {1, 50, 100})
    void whatADyingWorkerHadBegunFailsAndAnotherOneTakesItsPlace(long reads) throws Exception {
        ReadBackend backend = ReadBackend.of(Method.FILE_CHANNEL);
        AtomicInteger queues = new AtomicInteger();
        try (RangeReader reader = open(backend, queues, new FaultyQueue.DeathAfter(reads))) {
            ReadBatch batch = batch();
            IOException e = assertThrows(IOException.class, () -> reader.read(batch));
            assertEquals("the thread that read this has ended", e.getMessage());
            assertEquals("injected", e.getCause().getMessage());
            for (int i = 0; i < 10; i++) {
                assertEquals(100, reader.read(batch).reads());
            }
            assertEquals(2, queues.get());
        }
    }

    @Test
    void aWorkerThatDiesWithoutWorkFailsNobody() throws Exception {
        ReadBackend backend = ReadBackend.of(Method.FILE_CHANNEL);
        AtomicInteger queues = new AtomicInteger();
        try (RangeReader reader = open(backend, queues, new FaultyQueue.DeathAfter(0))) {
            while (queues.get() < 2) { // Its successor has started.
                Thread.onSpinWait();
            }
            assertEquals(100, reader.read(batch()).reads());
        }
    }

    @Test
    void aReaderWhoseThreadsAreAllGoneSaysSo() throws Exception {
        ReadBackend backend = ReadBackend.of(Method.FILE_CHANNEL);
        RangeWorker.QueueFactory factory =
                (capacity, memory) -> {
                    throw new IOException("no queue today");
                };
        ReadBatch batch = batch();
        try (RangeReader reader = RangeReader.open(backend, options(2), factory)) {
            boolean refused = false;
            for (int i = 0; i < 1000 && !refused; i++) {
                try {
                    CompletableFuture<BatchReport> future = reader.readAsync(batch);
                    CompletionException e = assertThrows(CompletionException.class, future::join);
                    assertTrue(e.getCause() instanceof IOException, e::toString);
                } catch (IllegalStateException e) {
                    refused = true;
                }
            }
            assertTrue(refused, "a reader without threads takes batches");
            for (int i = 0; i <= options(2).batchesMax(); i++) { // A refused call holds no permit.
                assertThrows(IllegalStateException.class, () -> reader.readAsync(batch));
            }
        }
    }
}
