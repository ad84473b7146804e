package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two large uncompressed chunks that are one run of bytes in the target, wherever they lie. */
final class RawRunLayoutTest {
    private static final int CHUNKS = 2;
    private static final int CHUNK_ROWS = 1123;
    private static final int ROW_ELEMENTS = 8191;
    private static final long CHUNK_BYTES = 2L * CHUNK_ROWS * ROW_ELEMENTS; // 18 MB
    private static final int COPIES = 6; // of a chunk: the first one, and parts of 3 MiB or more
    private static final long SEED = 12;

    @TempDir private Path folder;
    private final AtomicInteger queued = new AtomicInteger(); // reads
    private final byte[] elements = new byte[CHUNKS * (int) CHUNK_BYTES];
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        assumeTrue(ReadBackend.unavailabilityCause(ReadBackend.Method.IO_URING).isEmpty());
        engine = WatchedReads.openCounting(queued);
        new Random(SEED).nextBytes(elements);
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    @Test
    void chunksInFilesOfTheirOwn() {
        assertEquals(CHUNKS * COPIES, copies(CHUNK_ROWS, CodecSpec.bytes()));
    }

    /** The second one begins in the middle of a page. */
    @Test
    void innerChunksOfAShard() {
        long[] innerShape = {CHUNK_ROWS, ROW_ELEMENTS};
        CodecSpec shard = CodecSpec.sharding(innerShape, CodecSpec.bytes());
        assertEquals(CHUNKS * COPIES, copies(CHUNKS * CHUNK_ROWS, shard));
    }

    /** Turning the bytes of elements round is no copy: slabs that stay in a core's cache. */
    @Test
    void elementsInTheOtherByteOrderAreNoRun() {
        CodecSpec bigEndian = new CodecSpec("bytes", Map.of("endian", "big"));
        assertTrue(copies(CHUNK_ROWS, bigEndian) > 10 * CHUNKS * COPIES);
    }

    /** Reads all that was written with a codec until it is mapped, and counts the copies of it. */
    private long copies(long shardRows, CodecSpec codec) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT16, CHUNKS * CHUNK_ROWS, ROW_ELEMENTS)
                        .chunkShape(shardRows, ROW_ELEMENTS)
                        .codecs(List.of(codec))
                        .build();
        Path path = folder.resolve("array");
        long shardBytes = shardRows * ROW_ELEMENTS * 2;
        engine.createArray(path, metadata)
                .writeAll((chunk, target) ->
                        target.copyFrom(
                                MemorySegment.ofArray(elements)
                                        .asSlice(chunk[0] * shardBytes, shardBytes)));
        try (ZarrArray array = engine.openArray(path);
                Arena arena = Arena.ofShared()) {
            for (int i = 0; i < 4; i++) {
                assertReads(array, arena);
            }
            queued.set(0);
            long before = engine.metrics().reads();
            assertReads(array, arena);
            assertEquals(0, queued.get(), "all of it was in memory");
            return engine.metrics().reads() - before;
        }
    }

    private void assertReads(ZarrArray array, Arena arena) {
        GuardedMemory target = new GuardedMemory(arena, elements.length);
        array.readAsync(Selection.all(), target.segment()).join();
        assertEquals(-1, MemorySegment.ofArray(elements).mismatch(target.segment()));
        target.assertIntact();
    }
}
