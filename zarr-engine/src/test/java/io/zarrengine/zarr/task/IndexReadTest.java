package io.zarrengine.zarr.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
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

/** Tests that no shard that waits for an index is lost. */
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
                        new ReadRequest.Source(null, null, pipelines, MemorySegment.NULL, true),
                        new GridPlan(all, METADATA.chunkGrid()),
                        MemorySegment.ofArray(new byte[4]));
        requests.add(request);
        file.retain(); // A shard that has begun does so.
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

    /** Begins a read that three shards wait for. */
    private IndexRead newRead(ShardIndexLoader indexes) {
        IndexRead read = new IndexRead(indexes, newShard());
        read.add(newShard());
        read.add(newShard());
        return read;
    }

    private void assertAllFailed(Throwable cause) {
        assertEquals(3, ended.get());
        requests.forEach(request -> assertSame(cause, request.failure()));
    }

    /** Catches shards that are lost when their read fails. */
    @Test
    void whenTheReadFailsAllShardsFail() {
        IllegalStateException cause = new IllegalStateException("cannot be read");
        WorkQueue queue = new WorkQueue();
        try (ShardIndexLoader indexes = new ShardIndexLoader(1 << 20, queue::addFirst)) {
            IndexRead read = newRead(indexes);
            read.fail(cause);
            read.ended(0);
            assertTrue(queue.isEmpty());
            assertAllFailed(cause);
        }
    }

    /** Catches files that stay open when a failed engine discards a read that was handed over. */
    @Test
    void whenTheReadIsDiscardedAllShardsFail() {
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

    /** Catches shards that are lost because they came when the first one had been cancelled. */
    @Test
    void shardsThatCameTooLateLookForTheIndexAgain() {
        IllegalStateException cause = new IllegalStateException("discarded");
        WorkQueue queue = new WorkQueue();
        try (ShardIndexLoader indexes = new ShardIndexLoader(1 << 20, queue::addFirst)) {
            newRead(indexes).ended(0);
            assertEquals(0, ended.get());
            queue.discard(cause);
            assertAllFailed(cause);
        }
    }
}
