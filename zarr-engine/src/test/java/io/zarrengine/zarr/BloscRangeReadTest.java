package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.errors.CorruptChunkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A read of a part of a blosc chunk decodes only the blocks from the first wanted element to the
 * last. Fails if it decodes other blocks, or misses one.
 */
final class BloscRangeReadTest {
    private static final int BLOCKS = 10;
    private static final int BLOCK_BYTES = 1000; // 250 elements
    private static final int HEADER_BYTES = 16 + 4 * BLOCKS;
    private static final int ZLIB_NOT_SPLIT = (3 << 5) | 16;

    private static final String DOCUMENT =
            """
            {"zarr_format": 3, "node_type": "array", "shape": [50, 50], "data_type": "int32",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [50, 50]}},
             "chunk_key_encoding": "default", "fill_value": 0, "codecs": [
                {"name": "bytes", "configuration": {"endian": "little"}},
                {"name": "blosc", "configuration": {"cname": "zlib", "clevel": 5,
                    "shuffle": "noshuffle", "typesize": 4, "blocksize": 1000}}]}
            """;

    @TempDir Path folder;
    private ZarrEngine engine;
    private ZarrArray array;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(folder.resolve("c/0"));
        Files.writeString(folder.resolve("zarr.json"), DOCUMENT);
        Files.write(folder.resolve("c/0/0"), chunk());
        engine = ZarrEngine.builder().workers(1).open();
        array = engine.openArray(folder);
    }

    @AfterEach
    void close() {
        array.close();
        engine.close();
    }

    /** Element i is i. Blocks that do not shrink are stored uncompressed, each after its size. */
    private static byte[] chunk() {
        int bytes = HEADER_BYTES + BLOCKS * (4 + BLOCK_BYTES);
        ByteBuffer chunk = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        chunk.put((byte) 2).put((byte) 1).put((byte) ZLIB_NOT_SPLIT).put((byte) 4);
        chunk.putInt(BLOCKS * BLOCK_BYTES).putInt(BLOCK_BYTES).putInt(bytes);
        for (int block = 0; block < BLOCKS; block++) {
            chunk.putInt(HEADER_BYTES + block * (4 + BLOCK_BYTES));
        }
        for (int i = 0; i < BLOCKS * BLOCK_BYTES / 4; i++) {
            if (i % (BLOCK_BYTES / 4) == 0) {
                chunk.putInt(BLOCK_BYTES);
            }
            chunk.putInt(i);
        }
        return chunk.array();
    }

    /** Reads, compares, and checks how many blocks were decoded. */
    private void assertReads(int blocks, Selection selection, long... expected) {
        long before = engine.metrics().bytesDecoded();
        try (HostTensor tensor = array.read(selection)) {
            int[] actual = tensor.segment().toArray(JAVA_INT);
            assertArrayEquals(
                    LongStream.of(expected).mapToInt(value -> (int) value).toArray(), actual);
        }
        long decoded = engine.metrics().bytesDecoded() - before; // the front of the last block
        assertEquals(blocks, Math.ceilDiv(decoded, BLOCK_BYTES), () -> "for " + selection);
    }

    @Test
    void decodesOnlyTheBlocksThatACropTouches() {
        assertReads(1, Selection.of("0, 0:3"), 0, 1, 2);
        assertReads(1, Selection.of("4, 48:"), 248, 249); // the last elements of the first block
        assertReads(1, Selection.of("5, :2"), 250, 251); // the first elements of the second block
        assertReads(2, Selection.of("4:6, 49"), 249, 299);
        assertReads(1, Selection.of("49, 49"), 2499);
        assertReads(2, Selection.of("12:8:-3, 0"), 600, 450);
        assertReads(BLOCKS, Selection.of("::49, 0"), 0, 2450);
    }

    /** Several regions of a chunk are wanted: all of them must be decoded, not only the first. */
    @Test
    void decodesFromTheFirstToTheLastElementOfListsAndPoints() {
        assertReads(1, Selection.points(new long[] {6, 5}, new long[] {1, 49}), 301, 299);
        assertReads(
                3, Selection.points(new long[] {19, 5, 10}, new long[] {49, 0, 3}), 999, 250, 503);
        DimensionSelection rows = DimensionSelection.indexes(9, 5);
        DimensionSelection columns = DimensionSelection.indexes(0, 49, 2);
        assertReads(1, Selection.orthogonal(rows, columns), 450, 499, 452, 250, 299, 252);
    }

    /** A read checks only the blocks that it decodes. */
    @Test
    void failsOnlyWhenADamagedBlockIsWanted() throws IOException {
        byte[] chunk = chunk();
        ByteBuffer.wrap(chunk)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(HEADER_BYTES + 9 * (4 + BLOCK_BYTES), BLOCK_BYTES + 1);
        Files.write(folder.resolve("c/0/0"), chunk);
        assertReads(1, Selection.of("0, 0"), 0);
        assertThrows(CorruptChunkException.class, () -> array.read(Selection.of("46, 0")).close());
    }
}
