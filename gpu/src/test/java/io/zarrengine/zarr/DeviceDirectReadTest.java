package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Reads uncompressed chunks directly to a device, and all others normally. If cuFile supports no
 * file of this machine, only the elements are tested.
 */
final class DeviceDirectReadTest extends DeviceReadContract {
    private static final CodecSpec SHARDS =
            CodecSpec.sharding(new long[] {1, 64, 64}, CodecSpec.bytes());

    DeviceDirectReadTest() {
        super(DeviceEngines.SMALL);
    }

    @Override
    @BeforeEach
    void open() {
        engine = DeviceEngines.openDirect(DeviceEngines.SMALL);
    }

    private SampleArray write(CodecSpec... codecs) {
        return write(
                ArrayMetadata.builder(NumericType.INT16, 8, 256, 256)
                        .chunkShape(4, 128, 256)
                        .codecs(List.of(codecs))
                        .build());
    }

    /** Skips the rest of a test if the device reads no file directly; GPUDirect Storage is rare. */
    private long bytesReadDirectly() {
        long bytes = engine.deviceMetrics(0).bytesReadDirectly();
        assumeTrue(bytes > 0, "cuFile reads no file here");
        return bytes;
    }

    private void assertReadsAll(SampleArray sample) {
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(sample.all(), tensor);
        }
    }

    /**
     * A shard has 32 inner chunks of 8 KiB. None of them begins at a multiple of 4 KiB in its file.
     */
    @Test
    void innerChunksAreReadTogetherWhereverTheyLie() {
        Map<String, Object> behindTheIndex = new LinkedHashMap<>(SHARDS.configuration());
        behindTheIndex.put("index_location", "start");
        SampleArray sample = write(new CodecSpec(SHARDS.name(), behindTheIndex));
        assertReadsAll(sample);
        assertEquals(sample.all().length, bytesReadDirectly());
        assertEquals(0, engine.deviceMetrics(0).bytesCopied());
    }

    /** Slots hold 256 KiB. A chunk of one and a half times that is read in blocks. */
    @Test
    void ofAChunkLargerThanASlotOnlyWhatIsWantedIsRead() {
        SampleArray sample =
                write(
                        ArrayMetadata.builder(NumericType.INT32, 24, 64, 64)
                                .chunkShape(24, 64, 64)
                                .codecs(List.of(CodecSpec.bytes()))
                                .build());
        assertReadsAll(sample);
        assertEquals(sample.all().length, bytesReadDirectly());
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor last = array.readAsync(Selection.of("20:24"), DEVICE).join()) {
            assertEquals(4 * 64 * 64 * 4, last.byteSize());
            assertEquals(sample.all().length + last.byteSize(), bytesReadDirectly());
        }
    }

    @Test
    void whatMustBeDecodedOrCheckedGoesByWayOfTheHost() {
        assertReadsAll(write(SHARDS));
        long before = bytesReadDirectly();
        SampleArray checked =
                SampleArray.write(
                        engine,
                        folder.resolve("checked"),
                        ArrayMetadata.builder(NumericType.INT16, 8, 256, 256)
                                .chunkShape(4, 64, 256)
                                .codecs(List.of(CodecSpec.bytes(), CodecSpec.crc32c()))
                                .build());
        assertReadsAll(checked);
        assertEquals(before, bytesReadDirectly());
    }

    /** Deletes the upper half of the last four planes. */
    @Test
    void missingChunksAreFilled() throws IOException {
        SampleArray sample = write(SHARDS);
        Files.delete(sample.path().resolve("c/1/0/0"));
        byte[] expected = sample.all();
        int planeBytes = 256 * 256 * 2;
        for (int plane = 4; plane < 8; plane++) {
            Arrays.fill(
                    expected, plane * planeBytes, plane * planeBytes + planeBytes / 2, (byte) 0);
        }
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(expected, tensor);
        }
    }

    /**
     * The shard is truncated after its index was read. The message names the file, as for other
     * reads.
     */
    @Test
    void aShardThatIsCutOffIsRefused() throws IOException {
        SampleArray sample = write(SHARDS);
        try (ZarrArray array = engine.openArray(sample.path())) {
            array.readAsync(Selection.all(), DEVICE).join().close();
            Path shard = sample.path().resolve("c/0/0/0");
            try (FileChannel file = FileChannel.open(shard, StandardOpenOption.WRITE)) {
                file.truncate(100_000);
            }
            var read = array.readAsync(Selection.all(), DEVICE);
            var failure = assertThrows(CompletionException.class, read::join);
            assertTrue(failure.getCause() instanceof CorruptChunkException, failure::toString);
            assertTrue(failure.getMessage().contains(shard.toString()), failure::toString);
        }
    }

    /** Cancelled reads keep no slots, and other reads get all their elements. */
    @Test
    void manyReadsAtOnceOfWhichSomeAreCancelled() {
        SampleArray sample = write(SHARDS);
        try (ZarrArray array = engine.openArray(sample.path())) {
            List<CompletableFuture<DeviceTensor>> reads =
                    new ArrayList<>(
                            Stream.generate(() -> array.readAsync(Selection.all(), DEVICE))
                                    .limit(60)
                                    .toList());
            for (int i = 0; i < reads.size(); i += 3) {
                reads.get(i).cancel(true);
            }
            for (CompletableFuture<DeviceTensor> read : reads) {
                try (DeviceTensor tensor = read.join()) {
                    assertHolds(sample.all(), tensor);
                } catch (CancellationException e) {
                    assertTrue(read.isCancelled());
                }
            }
        }
        assertReadsAll(sample);
    }

    @Test
    void closingUnderLoadWaitsForWhatIsUnderWay() throws InterruptedException {
        SampleArray sample = write(SHARDS);
        ZarrArray array = engine.openArray(sample.path());
        List<CompletableFuture<DeviceTensor>> reads =
                Stream.generate(() -> array.readAsync(Selection.all(), DEVICE)).limit(40).toList();
        Thread closing = Thread.ofPlatform().start(engine::close);
        for (CompletableFuture<DeviceTensor> read : reads) {
            try (DeviceTensor tensor = read.join()) {
                assertEquals(sample.all().length, tensor.byteSize());
            } catch (CompletionException e) {
                assertTrue(e.getMessage().contains("closed"), e::toString);
            }
        }
        closing.join();
    }
}
