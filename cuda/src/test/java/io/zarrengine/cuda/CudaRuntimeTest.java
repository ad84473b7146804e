package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.zarrengine.cuda.CudaRuntime.Cause;
import io.zarrengine.cuda.CudaRuntime.Status;
import org.junit.jupiter.api.Test;

/** Tests that each missing part gives its own cause. */
final class CudaRuntimeTest {
    @Test
    void devicesAreUsable() {
        assertEquals(new Status.Usable(2, 13000, 13010), CudaRuntime.status(0, 2, 13000, 13010));
    }

    @Test
    void noDriver() {
        assertEquals(
                new Status.Unusable(Cause.NO_DRIVER, "no NVIDIA driver is installed"),
                CudaRuntime.status(35, 0, 13000, 0));
    }

    @Test
    void oldDriver() {
        assertEquals(
                new Status.Unusable(
                        Cause.OLD_DRIVER,
                        "the driver serves CUDA 12.8, the runtime is 13.0: a newer driver is"
                                + " needed"),
                CudaRuntime.status(35, 0, 13000, 12080));
    }

    @Test
    void noDevice() {
        Status none =
                new Status.Unusable(
                        Cause.NO_DEVICE, "a driver is installed, but no device is visible");
        assertEquals(none, CudaRuntime.status(100, 0, 13000, 13000));
        assertEquals(none, CudaRuntime.status(0, 0, 13000, 13000));
    }

    @Test
    void aDeviceThatDoesNotWork() {
        assertEquals(
                new Status.Unusable(
                        Cause.LOST_DEVICE,
                        "a device is there and does not work: cudaGetDeviceCount answers"
                                + " cudaErrorECCUncorrectable (214); see nvidia-smi"),
                CudaRuntime.status(214, 0, 13000, 13000));
    }

    @Test
    void anUnknownErrorKeepsItsNumber() {
        assertEquals(
                new Status.Unusable(
                        Cause.FAILURE, "cudaGetDeviceCount answers a CUDA error (4711)"),
                CudaRuntime.status(4711, 0, 13000, 13000));
    }

    @Test
    void thisMachineHasAnAnswer() {
        if (CudaRuntime.status() instanceof Status.Unusable unusable) {
            assertFalse(unusable.reason().isBlank());
        }
    }
}
