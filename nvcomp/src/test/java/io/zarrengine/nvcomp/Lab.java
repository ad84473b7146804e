package io.zarrengine.nvcomp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.PinnedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A device with a stream, a pool and pinned memory, for one test, on the device's thread. */
record Lab(CudaDevice device, CudaStream stream, DeviceMemoryPool pool, MemorySegment pinned) {
    private static final long POOL_BYTES = 2L << 30; // zstd's encoder takes more than half
    private static final long PINNED_BYTES = 64 << 20;

    /** The body of a test. */
    interface Body {
        void run(Lab lab) throws IOException;
    }

    static void run(Body body) throws IOException {
        assertEquals("", NvcompLibrary.unavailabilityCause());
        try (CudaDevice device = CudaDevice.open(0)) {
            device.thread().call(() -> run(device, body));
        }
    }

    private static Void run(CudaDevice device, Body body) throws IOException {
        try (CudaStream stream = CudaStream.open(device);
                DeviceMemoryPool pool = DeviceMemoryPool.open(device, POOL_BYTES);
                PinnedMemory pinned = PinnedMemory.open(device, PINNED_BYTES)) {
            body.run(new Lab(device, stream, pool, pinned.segment()));
            device.synchronize();
        }
        return null;
    }
}
