package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.device.DeviceOptions;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks larger than a slot: the host decodes them and sends them in blocks. */
final class DeviceLargeChunkTest extends DeviceReadContract {
    private static final int SLOT_BYTES = 4096;

    DeviceLargeChunkTest() {
        super(new DeviceOptions(256L << 20, 8, SLOT_BYTES, 64, 4L << 20, 0, 0, 0));
    }

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
