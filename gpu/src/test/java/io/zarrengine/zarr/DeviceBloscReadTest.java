package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static io.zarrengine.zarr.DeviceTensors.assertIsCorrupt;
import static io.zarrengine.zarr.DeviceTensors.assertReadsAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.gpu.CudaProvider;
import io.zarrengine.gpu.tuning.DeviceOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads a blosc chunk with uneven streams: its full block is split into one stream for each byte of
 * an element, the rest of it is a single stream, four times as long. nvCOMP's memory for a batch
 * grows with the number of streams times the largest.
 */
@NeedsDevice
final class DeviceBloscReadTest {
    private static final int SLOT_BYTES = 256 << 10;
    private static final int BLOCK_BYTES = SLOT_BYTES / 2;
    private static final int REST_BYTES = BLOCK_BYTES - 4;
    private static final byte VALUE = 7;
    private static final int LZ4 = 1 << 5;

    private static final String DOCUMENT =
            """
            {"zarr_format": 3, "node_type": "array", "shape": [65535], "data_type": "int32",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [65535]}},
             "chunk_key_encoding": "default", "fill_value": 0, "codecs": [
                {"name": "bytes", "configuration": {"endian": "little"}},
                {"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5,
                    "shuffle": "noshuffle", "typesize": 4, "blocksize": 131072}}]}
            """;

    @TempDir Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(folder.resolve("c"));
        Files.writeString(folder.resolve("zarr.json"), DOCUMENT);
        Files.write(folder.resolve("c/0"), chunk());
    }

    private static byte[] chunk() {
        ByteBuffer chunk = ByteBuffer.allocate(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        chunk.put((byte) 2).put((byte) 1).put((byte) LZ4).put((byte) 4);
        chunk.putInt(BLOCK_BYTES + REST_BYTES).putInt(BLOCK_BYTES).position(24);
        chunk.putInt(16, chunk.position());
        for (int i = 0; i < 4; i++) {
            putStream(chunk, BLOCK_BYTES / 4);
        }
        chunk.putInt(20, chunk.position());
        putStream(chunk, REST_BYTES);
        chunk.putInt(12, chunk.position());
        return Arrays.copyOf(chunk.array(), chunk.position());
    }

    /**
     * Writes an LZ4 block of one value: the value, a match with the byte before, and five literals.
     */
    private static void putStream(ByteBuffer chunk, int bytes) {
        int begin = chunk.position();
        chunk.putInt(0).put((byte) 0x1F).put(VALUE).putShort((short) 1);
        int more = bytes - 6 - 4 - 15; // lz4_Block_format.md: a match has at least 4 bytes
        for (; more >= 255; more -= 255) {
            chunk.put((byte) 255);
        }
        chunk.put((byte) more).put((byte) 0x50);
        for (int i = 0; i < 5; i++) {
            chunk.put(VALUE);
        }
        chunk.putInt(begin, chunk.position() - begin - 4);
    }

    private static final int LARGE_CHUNKS = 64;

    @Test
    void theDeviceDecodesIt() {
        assertReads(DeviceEngines.SMALL, 1);
    }

    /** The chunk would fit no batch. */
    @Test
    void theHostDecodesItWhereBatchesAreSmall() {
        assertReads(
                new DeviceOptions(256L << 20, 8, SLOT_BYTES, 64, SLOT_BYTES, 0, 0, 0, true, false),
                0);
    }

    /**
     * The device decodes only if checksums need not be compared, because nvCOMP does not compare
     * them.
     */
    @ParameterizedTest(name = "comparing checksums: {0}")
    @ValueSource(booleans = {false, true})
    void theDeviceDecodesZlibWithoutItsChecksums(boolean verifies) throws IOException {
        byte[] expected = BloscArrays.write(folder.resolve("zlib"));
        try (ZarrEngine engine =
                        ZarrEngine.builder()
                                .workers(2)
                                .deviceProvider(new CudaProvider(DeviceEngines.SMALL))
                                .verifyChecksums(verifies)
                                .open();
                ZarrArray array = engine.openArray(folder.resolve("zlib"));
                DeviceTensor tensor = array.readAsync(Selection.all(), Target.cuda(0)).join()) {
            assertHolds(expected, tensor);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertEquals(verifies ? 0 : BloscArrays.CHUNKS, done.chunksDecoded());
            assertEquals(0, done.chunksRescued());
        }
    }

    /**
     * Reads a few large chunks with many blocks each. nvCOMP decodes all blocks in parallel, so
     * they are not large chunks to it. A large chunk alone would take the device longer than the
     * workers take for all.
     */
    @Test
    void theDeviceDecodesLargeChunksOfManyBlocks() throws IOException {
        byte[] chunk = BloscArrays.writeLarge(folder.resolve("large"), LARGE_CHUNKS);
        DeviceOptions likeMany =
                new DeviceOptions(800L << 20, 16, 2 << 20, 4096, 64L << 20, 416, 0, 0, true, false);
        try (ZarrEngine engine =
                        ZarrEngine.builder()
                                .workers(16)
                                .deviceProvider(new CudaProvider(likeMany))
                                .verifyChecksums(false)
                                .open();
                ZarrArray array = engine.openArray(folder.resolve("large"));
                DeviceTensor tensor = array.readAsync(Selection.all(), Target.cuda(0)).join()) {
            ByteBuffer all = ByteBuffer.allocate(LARGE_CHUNKS * chunk.length);
            while (all.hasRemaining()) {
                all.put(chunk);
            }
            assertHolds(all.array(), tensor);
            assertEquals(LARGE_CHUNKS, engine.deviceMetrics(0).chunksDecoded());
        }
    }

    @ParameterizedTest(name = "split: {0}")
    @ValueSource(booleans = {false, true})
    void theDeviceDecodesSnappy(boolean isSplit) throws IOException {
        byte[] expected = BloscArrays.writeSnappy(folder.resolve("snappy"), isSplit);
        try (ZarrEngine engine = DeviceEngines.open();
                ZarrArray array = engine.openArray(folder.resolve("snappy"))) {
            assertReadsAll(array, expected);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertEquals(BloscArrays.CHUNKS, done.chunksDecoded(), done::toString);
            assertEquals(Map.of(), done.chunksDecodedByHost());
        }
    }

    /**
     * nvCOMP's decoder never ends on some damaged chunks. The CPU decodes them and reports the
     * error.
     */
    @Test
    void noDamagedSnappyGetsToTheDevice() throws IOException {
        BloscArrays.writeSnappy(folder.resolve("snappy"), false);
        Path file = folder.resolve("snappy/c/7");
        byte[] bytes = Files.readAllBytes(file);
        int firstBlock = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(16);
        bytes[firstBlock + 4] ^= 1; // the decoded size before the elements
        Files.write(file, bytes);
        Selection ofChunk7 = Selection.of("35000:40000");
        try (ZarrEngine engine = DeviceEngines.open();
                ZarrArray array = engine.openArray(folder.resolve("snappy"))) {
            assertIsCorrupt(array, ofChunk7, file);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertEquals(0, done.chunksDecoded() + done.chunksRescued(), done::toString);
            assertEquals(Map.of(), done.chunksDecodedByHost());
        }
    }

    private void assertReads(DeviceOptions options, long chunksOfDevice) {
        byte[] expected = new byte[BLOCK_BYTES + REST_BYTES];
        Arrays.fill(expected, VALUE);
        try (ZarrEngine engine = DeviceEngines.open(options);
                ZarrArray array = engine.openArray(folder);
                DeviceTensor tensor = array.readAsync(Selection.all(), Target.cuda(0)).join()) {
            assertHolds(expected, tensor);
            assertEquals(chunksOfDevice, engine.deviceMetrics(0).chunksDecoded());
        }
    }
}
