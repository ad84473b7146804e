package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads chunks larger than a slot. The host decodes them if necessary, and sends them in blocks.
 */
final class DeviceLargeChunkTest extends DeviceLargeChunkContract {
    /** Blocks have one row of the third dimension; a chunk has 2 × 5 × 7 rows. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void cutsTheFirstDimensionWhoseRowsFit(long seed) {
        RandomMetadata arrays = new RandomMetadata(new SplittableRandom(seed));
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT32, 4, 9, 13, 700)
                        .chunkShape(2, 5, 7, 700)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                        .build();
        SampleArray sample = write(metadata);
        assertReads(sample, boxes(arrays, sample));
    }

    /** The read wants two rows of a chunk of 64 KiB. Callers see one chunk, however it is read. */
    @Test
    void ofARawOneOnlyWhatIsWantedIsRead() {
        SampleArray sample =
                write(
                        ArrayMetadata.builder(NumericType.INT16, 16, 64, 32)
                                .chunkShape(16, 64, 32)
                                .codecs(List.of(CodecSpec.bytes()))
                                .build());
        long[] begins = {5, 7, 3};
        long[] counts = {2, 10, 20};
        long bytes = (9 * 32 + 20) * 2; // per plane, from the first to the last element
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor =
                        array.readAsync(Selection.of("5:7, 7:17, 3:23"), DEVICE).join()) {
            assertTrue(array.hostReason(Selection.all()).isEmpty());
            assertHolds(
                    sample.expected(new BoxPositions(begins, counts, new long[] {1, 1, 1})),
                    tensor);
            long copied =
                    engine.deviceMetrics(0).bytesCopied(); // with the bytes between, in a slot
            assertTrue(copied >= 2 * bytes && copied < 2 * bytes + 64, () -> "" + copied);
            assertEquals(2 * bytes, engine.metrics().bytesRead());
            assertEquals(1, engine.metrics().chunksDecoded());
        }
    }

    /** The read wants a plane of 4 KiB of a chunk of 64 KiB. The other blocks stay on the host. */
    @Test
    void onlyWantedBlocksAreCopied() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 16, 64, 32)
                        .chunkShape(16, 64, 32)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                        .build();
        SampleArray sample = write(metadata);
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.of("5"), DEVICE).join()) {
            assertTrue(array.hostReason(Selection.all()).isEmpty());
            assertEquals(SLOT_BYTES, tensor.byteSize());
            assertEquals(SLOT_BYTES, engine.deviceMetrics(0).bytesCopied());
        }
    }
}
