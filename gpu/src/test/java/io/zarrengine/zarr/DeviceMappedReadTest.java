package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static io.zarrengine.zarr.DeviceTensors.assertIsCorrupt;
import static io.zarrengine.zarr.DeviceTensors.assertReadsAll;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads files that a device copies from the page cache by itself. They are registered after the
 * first request.
 */
final class DeviceMappedReadTest extends DeviceReadContract {
    private static final long ALL_BYTES = 8 * 256 * 256 * 2;

    DeviceMappedReadTest() {
        super(DeviceEngines.SMALL);
    }

    @Override
    @BeforeEach
    void open() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        engine = DeviceEngines.openMapping(DeviceEngines.SMALL, Long.MAX_VALUE);
    }

    private SampleArray write(NumericType type, CodecSpec... codecs) {
        return write(
                ArrayMetadata.builder(type, 8, 256, 256)
                        .chunkShape(8, 128, 256)
                        .codecs(List.of(CodecSpec.sharding(new long[] {1, 64, 64}, codecs)))
                        .build());
    }

    private SampleArray writeZstd() {
        return write(NumericType.INT16, CodecSpec.bytes(), CodecSpec.zstd(3));
    }

    private long bytesOfFiles() {
        return engine.deviceMetrics(0).bytesCopiedFromFiles();
    }

    private long bytesOfHost() {
        return engine.deviceMetrics(0).bytesCopied();
    }

    /** Reads until the device copies everything from the files, a few times at most. */
    private void readUntilRegistered(ZarrArray array, byte[] expected) {
        long before;
        int reads = 0;
        do {
            before = bytesOfHost();
            assertReadsAll(array, expected);
            assertTrue(reads++ < 20, () -> engine.deviceMetrics(0).toString());
        } while (bytesOfHost() > before);
    }

    /** {@link DeviceMappedConformanceTest} has more. */
    static Stream<List<CodecSpec>> chains() {
        CodecSpec bytes = CodecSpec.bytes();
        CodecSpec swapped = new CodecSpec("bytes", Map.of("endian", "big"));
        return Stream.of(
                List.of(bytes),
                List.of(swapped),
                List.of(bytes, CodecSpec.zstd(3)),
                List.of(swapped, CodecSpec.zstd(3)));
    }

    @ParameterizedTest
    @MethodSource("chains")
    void whatIsRegisteredIsCopiedByTheDeviceAlone(List<CodecSpec> chain) {
        SampleArray sample = write(NumericType.INT16, chain.toArray(CodecSpec[]::new));
        try (ZarrArray array = engine.openArray(sample.path())) {
            readUntilRegistered(array, sample.all());
            long before = bytesOfFiles();
            try (DeviceTensor box =
                    array.readAsync(Selection.of("2:5, 30:200:3, 7:130"), DEVICE).join()) {
                long[] begins = {2, 30, 7};
                long[] counts = {3, 57, 123};
                long[] steps = {1, 3, 1};
                assertHolds(sample.expected(new BoxPositions(begins, counts, steps)), box);
            }
            assertTrue(bytesOfFiles() > before);
        }
    }

    /** One worker describes several stretches at once. The bytes between them are not copied. */
    @Test
    void ofStretchesThatAreTakenTogetherNothingElseIsCopied() {
        engine.close();
        engine = DeviceEngines.openMapping(DeviceEngines.SMALL, Long.MAX_VALUE, 1);
        SampleArray sample = write(NumericType.INT16, CodecSpec.bytes());
        long[] begins = {1, 0, 0};
        long[] counts = {4, 256, 256};
        byte[] expected = sample.expected(new BoxPositions(begins, counts, new long[] {2, 1, 1}));
        try (ZarrArray array = engine.openArray(sample.path())) {
            readUntilRegistered(array, sample.all());
            long before = bytesOfFiles();
            try (DeviceTensor odd = array.readAsync(Selection.of("1::2"), DEVICE).join()) {
                assertHolds(expected, odd);
            }
            assertEquals(ALL_BYTES / 2, bytesOfFiles() - before);
        }
    }

    /** A file that the device never copies from is not pinned. */
    @Test
    void whatHasAChecksumInsideIsNotMapped() throws IOException {
        SampleArray sample = write(NumericType.INT16, CodecSpec.bytes(), CodecSpec.gzip(1));
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int read = 0; read < 3; read++) {
                assertReadsAll(array, sample.all());
            }
            assertTrue(
                    Files.readAllLines(Path.of("/proc/self/maps")).stream()
                            .noneMatch(line -> line.contains(sample.path().toString())));
        }
    }

    @Test
    void aChecksumIsTheHosts() {
        SampleArray sample =
                write(NumericType.INT16, CodecSpec.bytes(), CodecSpec.zstd(3), CodecSpec.crc32c());
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertReadsAll(array, sample.all());
            assertReadsAll(array, sample.all());
        }
        assertEquals(0, bytesOfFiles());
    }

    /** Only the first window is full. One chunk lies in two registrations. */
    @Test
    void aFileHasSeveralRegistrations() throws IOException {
        int rows = 300;
        SampleArray sample =
                new SampleArray(
                        folder.resolve("large"),
                        ArrayMetadata.builder(NumericType.UINT8, rows, 240 << 10)
                                .chunkShape(rows, 240 << 10)
                                .codecs(
                                        List.of(
                                                CodecSpec.sharding(
                                                        new long[] {1, 240 << 10},
                                                        CodecSpec.bytes())))
                                .build());
        byte[] row = new byte[240 << 10];
        engine.createArray(sample.path(), sample.metadata())
                .writeAll((chunk, elements) -> {
                    for (int i = 0; i < rows; i++) {
                        row[0] = (byte) i;
                        row[row.length - 1] = (byte) (3 * i);
                        elements.asSlice((long) i * row.length, row.length)
                                .copyFrom(MemorySegment.ofArray(row));
                    }
                });
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int read = 0; read < 3; read++) {
                try (DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join();
                        HostTensor copy = tensor.toHost()) {
                    byte[] all = copy.segment().toArray(JAVA_BYTE);
                    for (int i = 0; i < rows; i++) {
                        assertEquals((byte) i, all[i * row.length], "row " + i);
                        assertEquals((byte) (3 * i), all[(i + 1) * row.length - 1], "row " + i);
                    }
                }
            }
        }
        assertTrue(bytesOfFiles() >= (long) rows * row.length, () -> "" + bytesOfFiles());
    }

    /** From the registered file, the device would copy the old content. */
    @Test
    void aFileThatWasWrittenAnewInItsPlaceIsNotReadAsItWas() throws IOException {
        SampleArray sample = write(NumericType.INT16, CodecSpec.bytes());
        byte[] expected = sample.all();
        try (ZarrArray array = engine.openArray(sample.path())) {
            readUntilRegistered(array, expected);
            Path file = sample.path().resolve("c/0/0/0");
            byte[] content = Files.readAllBytes(file);
            content[0] ^= 1; // of the first element
            Files.write(file, content); // truncated, then as long as before
            expected[0] ^= 1;
            long before = bytesOfHost();
            for (int read = 0; read < 5; read++) {
                assertReadsAll(array, expected);
            }
            assertEquals(5 * ALL_BYTES / 2, bytesOfHost() - before, "of the file that was written");
        }
        try (ZarrArray array = engine.openArray(sample.path())) {
            readUntilRegistered(array, expected);
        }
    }

    @Test
    void aFileThatWasCutIsRefusedByItsName() throws IOException {
        SampleArray sample = writeZstd();
        try (ZarrArray array = engine.openArray(sample.path())) {
            readUntilRegistered(array, sample.all());
            Path file = sample.path().resolve("c/0/0/0");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(5000);
            }
            assertIsCorrupt(array, file);
        }
    }

    /** A frame's header is checked in the file, before the chunk is handed to the device. */
    @Test
    void aDamagedFrameIsRefusedAndTheOthersAreRead() throws IOException {
        SampleArray sample = writeZstd();
        try (ZarrArray array = engine.openArray(sample.path())) {
            readUntilRegistered(array, sample.all());
            Path file = sample.path().resolve("c/0/0/0");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 0);
            }
            assertIsCorrupt(array, file);
            byte[] below = lowerHalf(sample);
            try (DeviceTensor tensor = array.readAsync(Selection.of(":, 128:"), DEVICE).join()) {
                assertHolds(below, tensor);
            }
        }
    }

    private static byte[] lowerHalf(SampleArray sample) {
        long[] begins = {0, 128, 0};
        long[] counts = {8, 128, 256};
        return sample.expected(new BoxPositions(begins, counts, new long[] {1, 1, 1}));
    }

    @Test
    void withoutABudgetNothingIsPinned() {
        engine.close();
        engine = DeviceEngines.openMapping(DeviceEngines.SMALL, 0);
        SampleArray sample = writeZstd();
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int read = 0; read < 3; read++) {
                assertReadsAll(array, sample.all());
            }
        }
        assertEquals(0, bytesOfFiles());
    }

    /** There is room for one of the two files. Each replaces the other. */
    @Test
    void whatIsWantedTakesTheRoomOfWhatIsNotUsedJustNow() {
        engine.close();
        engine = DeviceEngines.openMapping(DeviceEngines.SMALL, ALL_BYTES * 3 / 4);
        SampleArray sample = write(NumericType.INT16, CodecSpec.bytes());
        Selection upper = Selection.of(":, :128");
        Selection lower = Selection.of(":, 128:");
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertTrue(comesFromFiles(array, upper));
            assertTrue(comesFromFiles(array, lower));
            assertTrue(comesFromFiles(array, upper));
            for (int read = 0; read < 5; read++) {
                assertReadsAll(array, sample.all());
            }
        }
    }

    private boolean comesFromFiles(ZarrArray array, Selection selection) {
        for (int read = 0; read < 10; read++) {
            long before = bytesOfFiles();
            array.readAsync(selection, DEVICE).join().close();
            if (bytesOfFiles() - before >= ALL_BYTES / 2) {
                return true;
            }
        }
        return false;
    }
}
