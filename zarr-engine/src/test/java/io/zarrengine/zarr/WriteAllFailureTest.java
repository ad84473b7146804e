package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A failed {@code writeAll} returns only when no thread makes a chunk any more, because the caller
 * may then free the source of the chunks.
 */
@Timeout(60)
final class WriteAllFailureTest {
    private static final int CHUNKS = 100;

    @TempDir Path folder;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicInteger sourcesInUse = new AtomicInteger();
    private final AtomicInteger filled = new AtomicInteger();

    /** Returns a thread that the machine refuses to start, once another one is at work. */
    private Thread refusedThread() {
        return new Thread() {
            @Override
            public void start() {
                try {
                    assertTrue(begun.await(30, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                throw new OutOfMemoryError("no thread");
            }
        };
    }

    private void fillSlowly() {
        sourcesInUse.incrementAndGet();
        begun.countDown();
        // A caller that does not wait for this thread has returned by then.
        LockSupport.parkNanos(50_000_000);
        filled.incrementAndGet();
        sourcesInUse.decrementAndGet();
    }

    @Test
    void waitsForOtherThreadsWhenOneCannotStart() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, CHUNKS)
                        .chunkShape(1)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        try (ZarrEngine engine = ZarrEngine.builder().workers(2).open()) {
            ArrayWriter writer = engine.createArray(folder.resolve("array"), metadata);
            Iterator<Boolean> refused = List.of(false, true).iterator();
            OutOfMemoryError e =
                    assertThrows(
                            OutOfMemoryError.class,
                            () ->
                                    writer.writeAll(
                                            (chunk, elements) -> fillSlowly(),
                                            work ->
                                                    refused.next()
                                                            ? refusedThread()
                                                            : new Thread(work)));
            assertEquals("no thread", e.getMessage());
            assertEquals(0, sourcesInUse.get(), "a chunk is still being made");
            assertTrue(filled.get() < CHUNKS, "all were made, though in vain");
        }
    }

    /** Each thread has the memory of a chunk. */
    @Test
    void startsNoMoreThreadsThanChunks() {
        for (int chunks : new int[] {0, 1, 3, 9}) {
            ArrayMetadata metadata =
                    ArrayMetadata.builder(NumericType.UINT8, chunks).chunkShape(1).build();
            AtomicInteger threads = new AtomicInteger();
            try (ZarrEngine engine = ZarrEngine.builder().workers(4).open()) {
                engine.createArray(folder.resolve("of" + chunks), metadata)
                        .writeAll(
                                (chunk, elements) -> filled.incrementAndGet(),
                                work -> {
                                    threads.incrementAndGet();
                                    return new Thread(work);
                                });
            }
            assertEquals(Math.min(chunks, 4), threads.get());
            assertEquals(chunks, filled.getAndSet(0));
        }
    }
}
