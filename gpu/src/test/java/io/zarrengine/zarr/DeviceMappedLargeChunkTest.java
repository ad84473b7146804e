package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static io.zarrengine.zarr.DeviceTensors.assertIsCorrupt;
import static io.zarrengine.zarr.DeviceTensors.assertReadsAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads chunks larger than a slot, in files that the device copies from by itself. */
final class DeviceMappedLargeChunkTest extends DeviceLargeChunkContract {
    private static final int CHUNKS = 6;
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int READS_MAX = 20;
    private static final int ZSTD_MAGIC = 0xFD2F_B528;
    private static final int FRAME_HEADER_BYTES = 7;
    private static final int BLOCK_HEADER_BYTES = 3;

    @Override
    @BeforeEach
    void open() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        open(TINY);
    }

    private void open(DeviceOptions options) {
        engine = DeviceEngines.openMapping(options, Long.MAX_VALUE);
    }

    /** {@return the metrics that the last of many reads added} */
    private DeviceMetrics readMany(ZarrArray array, byte[] expected) {
        DeviceMetrics before = null;
        for (int i = 0; i < READS_MAX; i++) {
            before = engine.deviceMetrics(0);
            assertReadsAll(array, expected);
        }
        DeviceMetrics after = engine.deviceMetrics(0);
        return new DeviceMetrics(
                after.chunks() - before.chunks(),
                after.chunksDecoded() - before.chunksDecoded(),
                after.chunksRescued() - before.chunksRescued(),
                Map.of(),
                after.bytesCopied() - before.bytesCopied(),
                after.bytesCopiedAsRead() - before.bytesCopiedAsRead(),
                after.bytesCopiedFromFiles() - before.bytesCopiedFromFiles(),
                after.bytesReadDirectly() - before.bytesReadDirectly(),
                after.batches() - before.batches());
    }

    private long encodedBytes() throws IOException {
        long bytes = 0;
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            bytes += Files.size(folder.resolve("c/" + chunk));
        }
        return bytes;
    }

    @Test
    void theDeviceCopiesAndDecodesThem() throws IOException {
        byte[] expected = BloscArrays.writeLargeZstd(folder, CHUNKS, SLOT_BYTES);
        try (ZarrArray array = engine.openArray(folder)) {
            DeviceMetrics done = readMany(array, expected);
            assertEquals(CHUNKS, done.chunksDecoded(), done::toString);
            assertEquals(encodedBytes(), done.bytesCopiedFromFiles());
            assertEquals(0, done.bytesCopied());
            assertEquals(0, done.chunksRescued());
            try (DeviceTensor part =
                    array.readAsync(Selection.of("262100:262200"), DEVICE).join()) {
                byte[] wanted = Arrays.copyOfRange(expected, 4 * 262_100, 4 * 262_200);
                assertHolds(wanted, part);
            }
        }
    }

    /** The chunks are copied in blocks, which the host does not read. */
    @Test
    void theDeviceCopiesRawOnes() {
        SampleArray sample =
                write(
                        ArrayMetadata.builder(NumericType.INT16, 6, 300, 100)
                                .chunkShape(3, 300, 100)
                                .codecs(List.of(CodecSpec.bytes()))
                                .build());
        try (ZarrArray array = engine.openArray(sample.path())) {
            DeviceMetrics done = readMany(array, sample.all());
            assertEquals(sample.all().length, done.bytesCopiedFromFiles());
            assertEquals(0, done.bytesCopied());
        }
    }

    /** Scratch memory suffices only for streams that fit slots. */
    @Test
    void streamsThatAreLargerThanSlotsAreTheHosts() throws IOException {
        byte[] expected = BloscArrays.writeLargeZstd(folder, CHUNKS, 2 * SLOT_BYTES);
        try (ZarrArray array = engine.openArray(folder)) {
            assertEquals(0, readMany(array, expected).chunksDecoded());
        }
    }

    @Test
    void whatNoBatchHasRoomForIsTheHosts() throws IOException {
        byte[] expected = BloscArrays.writeLargeZstd(folder, CHUNKS, SLOT_BYTES);
        engine.close();
        open(tiny(CHUNK_BYTES - 1));
        try (ZarrArray array = engine.openArray(folder)) {
            assertEquals(0, readMany(array, expected).chunksDecoded());
        }
        engine.close();
        open(tiny(CHUNK_BYTES));
        try (ZarrArray array = engine.openArray(folder)) {
            assertEquals(CHUNKS, readMany(array, expected).chunksDecoded());
        }
    }

    /**
     * Returns the offset after the headers of the last frame, which has one segment of up to 64 KiB
     * (RFC 8878).
     */
    private static int literalsOfLastStream(byte[] chunk) {
        ByteBuffer bytes = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
        int frame = chunk.length - Integer.BYTES;
        while (bytes.getInt(frame) != ZSTD_MAGIC) {
            frame--;
        }
        return frame + FRAME_HEADER_BYTES + BLOCK_HEADER_BYTES;
    }

    /**
     * Only the headers of a stream are checked. nvCOMP finds the damage, and then the host does.
     */
    @Test
    void aDamagedOneIsRefusedAndTheOthersAreRead() throws IOException {
        byte[] expected = BloscArrays.writeLargeZstd(folder, CHUNKS, SLOT_BYTES);
        Path file = folder.resolve("c/2");
        byte[] chunk = Files.readAllBytes(file);
        int at = literalsOfLastStream(chunk);
        Arrays.fill(chunk, at, at + 8, (byte) 0xFF);
        Files.write(file, chunk);
        int elements = CHUNK_BYTES / Integer.BYTES;
        try (ZarrArray array = engine.openArray(folder)) {
            for (int i = 0; i < READS_MAX; i++) {
                assertIsCorrupt(array, file);
                Selection first = Selection.of(":" + 2 * elements);
                try (DeviceTensor tensor = array.readAsync(first, DEVICE).join()) {
                    assertHolds(Arrays.copyOf(expected, 2 * CHUNK_BYTES), tensor);
                }
            }
        }
    }
}
