package io.zarrengine.zarr;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.PinnedMemory;
import io.zarrengine.zarr.datatype.NumericType;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An array, and a stream of a caller with memory to copy from. */
abstract class CallersStreamSetup {
    static final Target DEVICE = Target.cuda(0);

    /** So much work that the engine would pass it if it did not wait. */
    static final int QUEUED = 30;

    @TempDir Path folder;

    ZarrEngine engine;
    SampleArray sample;
    ZarrArray array;
    CudaDevice device;
    CudaStream stream;
    PinnedMemory pinned;

    @BeforeEach
    final void open() throws IOException {
        engine = DeviceEngines.open();
        sample = SampleArray.writeZstdShards(engine, folder.resolve("a"), NumericType.INT32);
        array = engine.openArray(sample.path());
        device = CudaDevice.open(0);
        stream = device.thread().call(() -> CudaStream.open(device));
        long bytes = (long) QUEUED * sample.all().length;
        pinned = device.thread().call(() -> PinnedMemory.open(device, bytes));
    }

    @AfterEach
    final void close() throws IOException {
        if (engine == null) { // null if opening it was skipped
            return;
        }
        device.thread()
                .call(() -> {
                    pinned.close(); // Waits for the stream.
                    stream.close();
                    return null;
                });
        device.close();
        array.close();
        engine.close();
    }
}
