package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.datatype.NumericType;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads to a GPU whose rules of decoding and launching are the fixed ones. */
final class DeviceFixedRulesTest extends DeviceReadContract {
    /** By their costs the host decodes chunks as few as those of the test. */
    private static final DeviceOptions TUNED =
            new DeviceOptions(256L << 20, 8, 256 << 10, 64, 4L << 20, 1, 0, 0, true, false);

    DeviceFixedRulesTest() {
        super(TUNED.withFixedRules());
    }

    /** Also catches an option that selects no other rule: the two then decode the same chunks. */
    @Test
    void theRulesChooseOtherDecodersAndReadTheSameBytes() {
        SampleArray sample =
                SampleArray.writeZstdShards(engine, folder.resolve("array"), NumericType.INT16);
        try (ZarrEngine tuned = DeviceEngines.open(TUNED);
                ZarrArray byTuned = tuned.openArray(sample.path());
                ZarrArray byFixed = engine.openArray(sample.path());
                DeviceTensor ofTuned = byTuned.readAsync(Selection.all(), DEVICE).join();
                DeviceTensor ofFixed = byFixed.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(sample.all(), ofTuned);
            assertHolds(sample.all(), ofFixed);
            assertNotEquals(Map.of(), tuned.deviceMetrics(0).chunksDecodedByHost());
            assertEquals(Map.of(), engine.deviceMetrics(0).chunksDecodedByHost());
        }
    }
}
