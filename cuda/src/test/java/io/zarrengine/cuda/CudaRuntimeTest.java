package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.cuda.CudaRuntime.Status;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each thing that can be missing is told apart. */
final class CudaRuntimeTest {
    /** The error codes come from the generated bindings, which a denial locks. */
    @BeforeAll
    static void needsNativeAccess() {
        NativeAccess.denial().ifPresent(denial -> assumeTrue(false, denial));
    }

    @Test
    void devicesAreUsable() {
        assertEquals(new Status.Usable(2, 13000, 13010), CudaRuntime.status(0, 2, 13000, 13010));
    }

    @Test
    void noDriver() {
        assertEquals(
                new Status.Unusable("no NVIDIA driver is installed"),
                CudaRuntime.status(35, 0, 13000, 0));
    }

    @Test
    void oldDriver() {
        assertEquals(
                new Status.Unusable(
                        "the driver serves CUDA 12.8, the runtime is 13.0: a newer driver is"
                                + " needed"),
                CudaRuntime.status(35, 0, 13000, 12080));
    }

    @Test
    void noDevice() {
        Status none = new Status.Unusable("a driver is installed, but no device is visible");
        assertEquals(none, CudaRuntime.status(100, 0, 13000, 13000));
        assertEquals(none, CudaRuntime.status(0, 0, 13000, 13000));
    }

    @Test
    void anUnknownErrorKeepsItsNumber() {
        assertEquals(
                new Status.Unusable("cudaGetDeviceCount answers error 999"),
                CudaRuntime.status(999, 0, 13000, 13000));
    }

    @Test
    void thisMachineHasAnAnswer() {
        if (CudaRuntime.status() instanceof Status.Unusable unusable) {
            assertFalse(unusable.reason().isBlank());
        }
    }
}
