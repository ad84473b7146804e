package io.zarrengine.gpu.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.zarr.DeviceEngines;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The end of memory that streams of the caller use. CUDA stops the process that names a stream
 * after it was closed.
 */
@Tag("gpu")
final class OnDeviceMemoryTest {
    private static final long CLOSED_STREAM = 0x1230;

    @BeforeAll
    static void needDevice() {
        DeviceEngines.needDevice();
    }

    private static OnDeviceMemory memory(DeviceExecutor executor) {
        Allocation allocation = executor.allocate(1000).join();
        return new OnDeviceMemory(executor, allocation.slice(), allocation, true);
    }

    /** Fault: the caller closes its stream after the memory, and the end of a copy names it. */
    @Test
    void closingWaitsForCopiesIfItHasToWaitForAStream() throws Exception {
        try (DeviceExecutor executor = SlowNeighbourTest.open()) {
            OnDeviceMemory memory = memory(executor);
            memory.recordStream(1);
            memory.use(); // as a copy does
            Thread closing = Thread.ofPlatform().start(memory::close);
            try {
                while (closing.getState() != Thread.State.WAITING) {
                    assertTrue(closing.isAlive(), "did not wait");
                    Thread.onSpinWait();
                }
            } finally {
                memory.release();
            }
            closing.join();
        }
    }

    /** Fault: memory that nobody closed is freed with the engine, long after its streams. */
    @Test
    void forgottenMemoryNamesNoStream() throws IOException {
        try (DeviceExecutor executor = SlowNeighbourTest.open()) {
            OnDeviceMemory memory = memory(executor);
            memory.recordStream(CLOSED_STREAM);
            memory.forget();
        }
    }
}
