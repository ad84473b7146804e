package io.zarrengine.uring.ranges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadBackend.Method;
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

/** What a thread had begun when it died fails; nobody waits for ever, and others read on. */
@Timeout(60)
final class WorkerDeathTest {
    @TempDir Path folder;

    private static RangeReaderOptions options(int threads) {
        return RangeReaderOptions.defaults().withThreads(threads);
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

    @ParameterizedTest(name = "after {0} turns")
    @ValueSource(ints = {0, 1, 2, 5})
    void anotherWorkerTakesThePlaceOfOneThatDied(int turns) throws Exception {
        ReadBackend backend = ReadBackend.of(Method.FILE_CHANNEL);
        AtomicInteger queues = new AtomicInteger();
        RangeWorker.QueueFactory factory =
                (capacity, memory) ->
                        new DyingQueue(
                                backend.newQueue(capacity, memory),
                                queues.getAndIncrement() == 0 ? turns : Integer.MAX_VALUE);
        try (RangeReader reader = RangeReader.open(backend, options(1), factory)) {
            ReadBatch first = batch();
            CompletableFuture<BatchReport> future = reader.readAsync(first);
            try {
                assertEquals(100, future.join().ranges());
            } catch (CompletionException e) {
                assertEquals("the thread that read this has ended", e.getCause().getMessage());
                assertEquals("injected", e.getCause().getCause().getMessage());
            }
            for (int i = 0; i < 10; i++) { // Whenever the first one dies, these are read or fail.
                try {
                    reader.read(first);
                } catch (IOException e) {
                    assertEquals("the thread that read this has ended", e.getMessage());
                }
            }
            assertEquals(100, reader.read(first).ranges());
            assertEquals(2, queues.get());
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
        }
    }
}
