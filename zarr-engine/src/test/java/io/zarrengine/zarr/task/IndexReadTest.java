package io.zarrengine.zarr.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.execute.HandedOverRead;
import io.zarrengine.zarr.execute.WorkQueue;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.GridPlan;
import io.zarrengine.zarr.plan.Region;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards that wait for one index: none of them is forgotten, whatever becomes of the read. */
final class IndexReadTest {
    private static final ArrayMetadata METADATA =
            ArrayMetadata.builder(NumericType.UINT8, 4)
                    .chunkShape(4)
                    .codecs(List.of(CodecSpec.sharding(new long[] {2}, CodecSpec.bytes())))
                    .build();

    private final ReadBackend backend = ReadBackend.of(ReadBackend.Method.FILE_CHANNEL);
    private final AtomicInteger ended = new AtomicInteger();
    private final List<ReadRequest> requests = new ArrayList<>();
    private FileHandle file;

    @BeforeEach
    void open(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("shard");
        Files.write(path, new byte[100]);
        file = backend.open(path, Caching.BUFFERED);
    }

    @AfterEach
    void close() {
        file.release();
        backend.close();
    }

    private ShardTask newShard() {
        ArrayPipeline pipelines = new ArrayPipeline("document", METADATA);
        ChunkPipeline pipeline = pipelines.largest();
        Region all = Region.whole(List.of(4L), 1);
        ReadRequest request =
                new ReadRequest(
                        new ReadRequest.Source(
                                null, null, pipelines, MemorySegment.NULL, true, null),
                        new GridPlan(all, METADATA.chunkGrid()),
                        MemorySegment.ofArray(new byte[4]));
        requests.add(request);
        file.retain(); // As a shard does that has begun.
        return new ShardTask(
                new ChunkTask(
                        request,
                        ended::incrementAndGet,
                        file,
                        0,
                        100,
                        "shard",
                        pipeline,
                        List.of(all)));
    }

    /** Three shards that wait for a read of theirs. */
    private IndexRead newRead(ShardIndexLoader indexes) {
        ShardTask first = newShard();
        IndexRead read = new IndexRead(indexes, first);
        read.add(new WaitingShard(first));
        read.add(new WaitingShard(newShard()));
        read.add(new WaitingShard(newShard()));
        return read;
    }

    private void assertAllFailed(Throwable cause) {
        assertEquals(3, ended.get());
        requests.forEach(request -> assertSame(cause, request.failure()));
    }

    /** No worker is left to read it. */
    @Test
    void oneThatIsHandedOverFailsWithItsQueue() {
        IllegalStateException cause = new IllegalStateException("no worker is left");
        WorkQueue queue = new WorkQueue();
        try (ShardIndexLoader indexes = new ShardIndexLoader(1 << 20, queue::addFirst)) {
            IndexRead read = newRead(indexes);
            queue.addFirst(new HandedOverRead(read, 0, 0, 16, 0));
            queue.discard(cause);
            assertTrue(queue.isEmpty());
            assertAllFailed(cause);
        }
    }

    /** Nor can they be handed on. */
    @Test
    void withoutMemoryAllWhoWaitFail() {
        OutOfMemoryError none = new OutOfMemoryError("none");
        ShardIndexLoader indexes =
                new ShardIndexLoader(
                        1 << 20,
                        source -> {
                            throw none; // An executor does not, but HotSpot may anywhere.
                        });
        try (indexes) {
            newRead(indexes).ended(0);
            assertAllFailed(none);
        }
    }

    /** The first one is told, and then there is no memory. */
    @Test
    void whoHasNotGoneOnFailsWithThoseWhoWait() {
        OutOfMemoryError none = new OutOfMemoryError("none");
        WorkQueue queue = new WorkQueue();
        ShardIndexLoader indexes =
                new ShardIndexLoader(
                        1 << 20,
                        source -> {
                            queue.addFirst(source);
                            throw none;
                        });
        try (indexes) {
            IndexRead read = newRead(indexes);
            read.fail(assertThrows(OutOfMemoryError.class, () -> read.handOut(null, null)));
            read.ended(0);
            queue.discard(none); // Nothing is left of it.
            assertAllFailed(none);
        }
    }
}
