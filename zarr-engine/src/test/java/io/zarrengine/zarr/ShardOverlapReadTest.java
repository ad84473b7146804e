package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.CorruptChunkException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A shard in a shard, also compressed as a whole. Fails if an inner chunk may overlap an index. */
final class ShardOverlapReadTest {
    private static final String GZIP = ", {\"name\": \"gzip\", \"configuration\": {\"level\": 1}}";
    private static final int INDEX_BYTES = 32; // two rows, no checksum

    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.builder().workers(1).budgetBytes(16 << 20).open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static String sharding(int inner, String codecs, boolean atStart) {
        return """
        {"name": "sharding_indexed", "configuration": {"chunk_shape": [%d], "codecs": [%s],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
            "index_location": "%s"}}
        """
                .formatted(inner, codecs, atStart ? "start" : "end");
    }

    /** Returns a shard of two chunks; the second lies {@code off} bytes from its place. */
    private static byte[] shard(byte[] first, byte[] second, boolean atStart, int off) {
        int chunks = atStart ? INDEX_BYTES : 0;
        ByteBuffer bytes = ByteBuffer.allocate(INDEX_BYTES + first.length + second.length);
        bytes.order(ByteOrder.LITTLE_ENDIAN).put(chunks, first).put(chunks + first.length, second);
        bytes.position(atStart ? 0 : first.length + second.length);
        bytes.putLong(chunks).putLong(first.length);
        bytes.putLong(chunks + first.length + off).putLong(second.length);
        return bytes.array();
    }

    private void write(boolean atStart, boolean compressed, int off) throws IOException {
        String innermost = sharding(1, "{\"name\": \"bytes\"}", atStart);
        Files.writeString(
                folder.resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
                 "chunk_key_encoding": "default", "fill_value": 0, "codecs": [%s%s]}
                """
                        .formatted(sharding(2, innermost, atStart), compressed ? GZIP : ""));
        byte[] good = shard(new byte[] {1}, new byte[] {2}, atStart, 0);
        byte[] bad = shard(new byte[] {3}, new byte[] {4}, atStart, off);
        byte[] outer = shard(good, bad, atStart, 0);
        Files.createDirectories(folder.resolve("c"));
        Files.write(folder.resolve("c/0"), compressed ? gzip(outer) : outer);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(encoded)) {
            gzip.write(bytes);
        }
        return encoded.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aChunkInAnIndexIsRefused(boolean atStart, boolean compressed) throws IOException {
        write(atStart, compressed, 0);
        try (ZarrArray array = engine.openArray(folder);
                HostTensor all = array.read(Selection.all())) {
            assertArrayEquals(new byte[] {1, 2, 3, 4}, all.segment().toArray(JAVA_BYTE));
        }
        write(atStart, compressed, atStart ? -2 : 1);
        try (ZarrArray array = engine.openArray(folder);
                HostTensor good = array.read(Selection.of(":2"))) {
            assertArrayEquals(new byte[] {1, 2}, good.segment().toArray(JAVA_BYTE));
            CorruptChunkException e =
                    assertThrows(
                            CorruptChunkException.class,
                            () -> array.read(Selection.of("2")).close());
            assertTrue(
                    e.getMessage()
                            .contains(
                                    atStart
                                            ? "inner chunk 1 at offset 31, size 1, overlaps the"
                                                    + " shard's index, which takes the bytes from 0"
                                                    + " to 32"
                                            : "inner chunk 1 at offset 2, size 1, overlaps the"
                                                    + " shard's index, which takes the bytes from 2"
                                                    + " to 34"),
                    e::getMessage);
            assertTrue(e.getMessage().contains(folder.resolve("c/0").toString()), e::getMessage);
        }
    }
}
