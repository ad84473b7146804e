package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.DeviceUnavailableException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the simulated cuFile and device. bin/gpu.sh runs each in its own process. */
@NeedsDevice
@Timeout(120)
final class DirectReadFaultTest {
    private static final String CUDA_FAULT = "SIMULATED_CUDA_FAULT";
    private static final String CUFILE_FAULT = "SIMULATED_CUFILE_FAULT";

    @TempDir Path folder;

    /** Reads four shards of 256 KiB, one slot each. */
    private void assertReads(ZarrEngine engine) {
        assertReads(engine, CodecSpec.sharding(new long[] {1, 64, 64}, CodecSpec.bytes()), 4);
    }

    /** Begins so many reads of 1 MiB that they wait for slots. */
    private void assertReads(ZarrEngine engine, CodecSpec codec, int planesOfChunk) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 8, 256, 256)
                        .chunkShape(planesOfChunk, 128, 256)
                        .codecs(List.of(codec))
                        .build();
        SampleArray sample =
                SampleArray.write(engine, folder.resolve("by" + planesOfChunk), metadata);
        try (ZarrArray array = engine.openArray(sample.path())) {
            LostDeviceReadTest.readMany(array, sample.all());
        }
    }

    /** After any device failure, no worker waits for its slots, and every read succeeds. */
    @Test
    @Tag("engine-fault")
    @EnabledIfEnvironmentVariable(named = CUDA_FAULT, matches = ".*")
    void nothingIsLostWithADevice() {
        try (ZarrEngine engine = DeviceEngines.openDirect(DeviceEngines.SMALL)) {
            assertReads(engine);
        } catch (DeviceUnavailableException e) {
            assertTrue(e.getMessage().contains("cuda"), e::getMessage); // it never opened
        }
    }

    /** If cuFile does not open or read a file, its later reads go through the host. */
    @Test
    @Tag("cufile-fault")
    @EnabledIfEnvironmentVariable(named = CUFILE_FAULT, matches = "cuFile(Handle|Buf|Read:2).*")
    void theHostReadsWhatTheDeviceDoesNot() {
        try (ZarrEngine engine = DeviceEngines.openDirect(DeviceEngines.SMALL)) {
            assertReads(engine);
            DeviceMetrics done = engine.deviceMetrics(0);
            boolean isRefused = !System.getenv(CUFILE_FAULT).startsWith("cuFileBuf");
            assertEquals(isRefused, done.bytesCopied() > 0, done::toString);
            assertTrue(done.bytesReadDirectly() > 0, done::toString); // from the other files
        }
    }

    /** Reads a chunk of two blocks. cuFile may read the first block but not the second. */
    @Test
    @Tag("cufile-fault")
    @EnabledIfEnvironmentVariable(named = CUFILE_FAULT, matches = "cuFileRead:3.*")
    void theHostReadsAllOfAChunkOfWhichTheDeviceDoesNotReadABlock() {
        try (ZarrEngine engine = DeviceEngines.openDirect(DeviceEngines.SMALL)) {
            assertReads(engine, CodecSpec.bytes(), 8);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertTrue(done.bytesCopied() > 0, done::toString);
        }
    }

    @Test
    @Tag("cufile-fault")
    @EnabledIfEnvironmentVariable(named = CUFILE_FAULT, matches = "cuFileDriverOpen.*")
    void anEngineThatShallReadSoDoesNotOpenAndSaysWhy() {
        ZarrEngineBuilder builder = ZarrEngine.builder().io(ZarrEngine.Io.GDS);
        var refusal = assertThrows(UnsupportedOperationException.class, builder::open);
        assertTrue(refusal.getMessage().contains("nvidia-fs is not loaded"), refusal::getMessage);
    }
}
