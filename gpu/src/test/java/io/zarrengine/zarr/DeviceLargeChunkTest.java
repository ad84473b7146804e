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
 * Chunks larger than a slot: the host decodes them, if there is something, and sends them in
 * blocks.
 */
final class DeviceLargeChunkTest extends DeviceLargeChunkContract {
    /** Blocks of one row of the third dimension, of 2 × 5 × 7 of them. */
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

    /** Of two rows of a chunk of 64 KiB, which is one chunk to its readers however it comes. */
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
        long bytes = (9 * 32 + 20) * 2; // of each plane, from the first element to the last one
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor =
                        array.readAsync(Selection.of("5:7, 7:17, 3:23"), DEVICE).join()) {
            assertTrue(array.hostReason(Selection.all()).isEmpty());
            assertHolds(
                    sample.expected(new BoxPositions(begins, counts, new long[] {1, 1, 1})),
                    tensor);
            long copied =
                    engine.deviceMetrics(0).bytesCopied(); // with what lies between, in a slot
            assertTrue(copied >= 2 * bytes && copied < 2 * bytes + 64, () -> "" + copied);
            assertEquals(2 * bytes, engine.metrics().bytesRead());
            assertEquals(1, engine.metrics().chunksDecoded());
        }
    }

    /** A plane of 4 KiB of a chunk of 64 KiB: the other blocks stay on the host. */
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
