package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Faults of the simulated device. bin/gpu.sh runs each in its own process. */
@NeedsDevice
@Tag("fault")
final class LostDeviceTest {
    private static final String FAULT = "SIMULATED_CUDA_FAULT";

    /**
     * Whichever call reports the error, the device keeps it, and everything can still be closed.
     */
    @Test
    @EnabledIfEnvironmentVariable(named = FAULT, matches = ".*:719")
    void aStickyErrorTakesTheDeviceOutOfService() {
        CudaDevice[] device = {null};
        assertThrows(CudaException.class, () -> Lab.run(lab -> use(device, lab)));
        CudaException loss = device[0].loss().orElseThrow();
        assertEquals(CudaError.LAUNCH_FAILURE, loss.error());
        CudaException later = assertThrows(CudaException.class, () -> CudaDevice.open(0));
        assertEquals(CudaError.LAUNCH_FAILURE, later.error());
        assertSame(loss, device[0].loss().orElseThrow());
    }

    private static void use(CudaDevice[] device, Lab lab) throws IOException {
        device[0] = lab.device;
        byte[] bytes = new byte[1000];
        try (PinnedSlots slots = PinnedSlots.open(lab.device, 2, 4096);
                Allocation memory = lab.pool.allocate(1000, lab.stream);
                CudaEvent event = CudaEvent.open(lab.device)) {
            for (int round = 0; round < 10; round++) {
                lab.upload(bytes, memory.slice());
                event.record(lab.stream);
                while (!event.isDone()) {
                    Thread.onSpinWait();
                }
            }
            assertEquals(2, slots.freeCount());
        }
    }

    @Test
    @EnabledIfEnvironmentVariable(named = FAULT, matches = "cudaMallocFromPoolAsync:1:2")
    void aDeviceWithoutMemorySaysSo() throws IOException {
        Lab.run(lab -> {
            DeviceBudgetException refusal =
                    assertThrows(
                            DeviceBudgetException.class, () -> lab.pool.allocate(1000, lab.stream));
            assertTrue(refusal.getMessage().contains("within the budget"));
            assertEquals(CudaException.class, refusal.getCause().getClass());
            assertEquals(0, lab.pool.usedBytes());
            assertTrue(lab.device.loss().isEmpty());
            lab.pool.allocate(Lab.POOL_BYTES, lab.stream).close();
        });
    }

    @Test
    @EnabledIfEnvironmentVariable(named = FAULT, matches = "cudaHostRegister:1:2")
    void memoryThatMayNotBePinnedIsGivenBack() {
        CudaException refusal = assertThrows(CudaException.class, () -> Lab.run(_ -> {}));
        assertEquals("cudaHostRegister", refusal.call());
        assertEquals(CudaError.MEMORY_ALLOCATION, refusal.error());
    }
}
