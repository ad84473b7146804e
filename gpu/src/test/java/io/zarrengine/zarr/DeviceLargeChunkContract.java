package io.zarrengine.zarr;

import io.zarrengine.gpu.tuning.DeviceOptions;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the read contract with slots of 4 KiB, so that most chunks are larger. */
abstract class DeviceLargeChunkContract extends DeviceReadContract {
    static final int SLOT_BYTES = 4096;

    static final DeviceOptions TINY = tiny(4L << 20);

    DeviceLargeChunkContract() {
        super(TINY);
    }

    static DeviceOptions tiny(long batchBytes) {
        return new DeviceOptions(256L << 20, 8, SLOT_BYTES, 256, batchBytes, 0, 0, 0, true, false);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void readsLargeRawChunks(long seed) {
        RandomMetadata arrays = new RandomMetadata(new SplittableRandom(seed));
        SampleArray sample = write(arrays.nextOfLargeRawChunks());
        assertReads(sample, boxes(arrays, sample));
        assertReads(sample, boxes(arrays, sample)); // the files may be registered now
    }
}
