package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.execute.QueueFactory;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several requests need the index of one shard while it is being read. Fails if there is more than
 * one read of it, or if one request's failure or cancellation affects the others.
 *
 * <p>The queue of the worker that reads the index first stops at a gate. The other worker queues
 * all other requests for the index, and continues with reads that need no index.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ShardIndexReadTest {
    private static final int INNER = 100;
    private static final int CHUNKS = 16;
    private static final long INDEX_BYTES = CHUNKS * 16 + 4; // rows, and a checksum
    private static final long BEHIND_EVERY_FILE = 1L << 40;

    @TempDir private Path folder;
    private final AtomicInteger indexReads = new AtomicInteger();
    private final CountDownLatch atGate = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private volatile boolean failsFirst;

    private ZarrEngine engine;
    private ZarrArray sharded;
    private ZarrArray plain;

    @BeforeEach
    void open() {
        engine = ZarrEngine.builder().workers(2).queues(this::gated).open();
        sharded = array("sharded", CodecSpec.sharding(new long[] {INNER}, CodecSpec.bytes()));
        plain = array("plain", CodecSpec.bytes());
    }

    private ZarrArray array(String name, CodecSpec codec) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, CHUNKS * INNER)
                        .chunkShape(CHUNKS * INNER)
                        .codecs(List.of(codec))
                        .build();
        Path path = folder.resolve(name);
        engine.createArray(path, metadata)
                .writeAll((chunk, elements) ->
                        elements.copyFrom(MemorySegment.ofArray(expected(0, CHUNKS))));
        return engine.openArray(path);
    }

    @AfterEach
    void close() {
        gate.countDown();
        sharded.close();
        plain.close();
        engine.close();
    }

    private QueueFactory gated(QueueFactory queues) {
        return WatchedReads.of(
                queues,
                read -> {
                    if (isIndexRead(read) && indexReads.incrementAndGet() == 1) {
                        atGate.countDown();
                        gate.await();
                        read[1] = failsFirst ? BEHIND_EVERY_FILE : read[1];
                    }
                });
    }

    private static boolean isIndexRead(Object[] read) {
        return (long) read[4] == INDEX_BYTES;
    }

    private static byte[] expected(int from, int to) {
        byte[] expected = new byte[(to - from) * INNER];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) (((from * INNER + i) * 0x9e3779b97f4a7c15L) >>> 40);
        }
        return expected;
    }

    /** A request for some inner chunks, and its target. */
    private record Part(int from, int to, MemorySegment actual, CompletableFuture<Void> ended) {
        void assertRead() {
            ended.join();
            assertArrayEquals(expected(from, to), actual.toArray(JAVA_BYTE));
        }
    }

    private Part read(ZarrArray array, int from, int to) {
        MemorySegment actual = MemorySegment.ofArray(new byte[(to - from) * INNER]);
        Selection selection = Selection.of(from * INNER + ":" + to * INNER);
        CompletableFuture<Void> ended = array.readAsync(selection, actual);
        return new Part(from, to, actual, ended);
    }

    /** Starts one request and stops its read of the index; then the others wait for that read. */
    private List<Part> readAllWhileTheFirstIsAtTheGate() throws InterruptedException {
        List<Part> parts = new ArrayList<>(List.of(read(sharded, 0, 1)));
        atGate.await();
        for (int i = 1; i < CHUNKS; i++) {
            parts.add(read(sharded, i - 1, i + 1));
        }
        read(plain, 0, CHUNKS).assertRead(); // taken after them, by the same worker
        return parts;
    }

    @Test
    void readsAnIndexOnceForAllRequests() throws InterruptedException {
        List<Part> parts = readAllWhileTheFirstIsAtTheGate();
        assertTrue(parts.stream().noneMatch(part -> part.ended.isDone()), "read before the index");
        gate.countDown();
        parts.forEach(Part::assertRead);
        read(sharded, 0, CHUNKS).assertRead();
        assertEquals(1, indexReads.get());
    }

    @Test
    void failsAllWaitingRequestsWhenTheIndexReadFails() throws InterruptedException {
        failsFirst = true;
        List<Part> parts = readAllWhileTheFirstIsAtTheGate();
        gate.countDown();
        for (Part part : parts) {
            CompletionException e = assertThrows(CompletionException.class, part.ended::join);
            assertInstanceOf(CorruptChunkException.class, e.getCause());
            assertTrue(e.getMessage().contains("shard index"), e::getMessage);
        }
        assertEquals(1, indexReads.get());
        read(sharded, 0, CHUNKS).assertRead();
        assertEquals(2, indexReads.get());
    }

    @Test
    void servesOtherRequestsAfterTheIndexReaderIsCancelled() throws InterruptedException {
        List<Part> parts = readAllWhileTheFirstIsAtTheGate();
        assertTrue(parts.getFirst().ended.cancel(true));
        assertTrue(parts.get(1).ended.cancel(true));
        gate.countDown();
        parts.stream().skip(2).forEach(Part::assertRead);
        assertEquals(1, indexReads.get());
    }

    /** All requests are cancelled when the index has been read, and then another one needs it. */
    @Test
    void readsAnIndexAgainAfterAllRequestsAreCancelled() throws InterruptedException {
        List<Part> parts = readAllWhileTheFirstIsAtTheGate();
        parts.forEach(part -> assertTrue(part.ended.cancel(true)));
        gate.countDown();
        read(sharded, 3, CHUNKS).assertRead(); // served by the first read, if it comes soon enough
    }

    @Test
    void failsWaitingRequestsWhenTheEngineCloses() throws InterruptedException {
        List<Part> parts = readAllWhileTheFirstIsAtTheGate();
        Thread closing = Thread.ofVirtual().start(engine::close);
        gate.countDown();
        closing.join();
        parts.forEach(part -> assertTrue(part.ended.isDone(), "left waiting"));
    }
}
