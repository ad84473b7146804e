package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the simulated device with mapped files. bin/gpu.sh runs each in its own process. */
@NeedsDevice
@Tag("mapping-fault")
@Timeout(120)
@EnabledIfEnvironmentVariable(named = "SIMULATED_CUDA_FAULT", matches = ".*")
final class MappedReadFaultTest {
    private static final String REFUSED = "cudaHostRegister:4:801";

    @TempDir Path folder;

    /** There are four files. The first two registrations are the engine's own memory. */
    @Test
    void whateverFailsEveryReadEndsWell() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 8, 256, 256)
                        .chunkShape(4, 128, 256)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {1, 64, 64}, CodecSpec.bytes())))
                        .build();
        try (ZarrEngine engine = DeviceEngines.openMapping(DeviceEngines.SMALL, Long.MAX_VALUE)) {
            SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
            try (ZarrArray array = engine.openArray(sample.path())) {
                LostDeviceReadTest.readMany(array, sample.all());
                LostDeviceReadTest.readMany(array, sample.all());
                DeviceMetrics done = engine.deviceMetrics(0);
                if (System.getenv("SIMULATED_CUDA_FAULT").equals(REFUSED)) {
                    assertTrue(done.bytesCopiedFromFiles() > 0, done::toString);
                }
            }
        }
    }
}
