package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.cudart.Cudart;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What the CUDA runtime says of this machine, asked once: a library, a driver and a device can each
 * be missing, and the remedy differs.
 */
public final class CudaRuntime {
    /** The answer. */
    public sealed interface Status {
        /**
         * There are devices.
         *
         * @param devices how many
         * @param runtimeVersion of the library, 1000 times major plus 10 times minor
         * @param driverVersion the newest runtime that the driver serves, in the same form
         */
        record Usable(int devices, int runtimeVersion, int driverVersion) implements Status {}

        /**
         * There is nothing to use.
         *
         * @param reason why, and how to change that; one line
         */
        record Unusable(String reason) implements Status {}
    }

    private static final class Holder {
        private static final Status STATUS = probe();
    }

    private CudaRuntime() {}

    /** {@return whether CUDA can be used here} */
    public static Status status() {
        return Holder.STATUS;
    }

    private static Status probe() {
        if (!NativeLibrary.CUDART.isAvailable()) {
            return new Status.Unusable(NativeLibrary.CUDART.unavailabilityCause().orElseThrow());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment runtime = arena.allocate(JAVA_INT);
            MemorySegment driver = arena.allocate(JAVA_INT);
            MemorySegment devices = arena.allocate(JAVA_INT);
            Cudart.cudaRuntimeGetVersion(runtime);
            Cudart.cudaDriverGetVersion(driver);
            int error = Cudart.cudaGetDeviceCount(devices);
            return status(
                    error,
                    devices.get(JAVA_INT, 0),
                    runtime.get(JAVA_INT, 0),
                    driver.get(JAVA_INT, 0));
        }
    }

    /** {@code driverVersion} is 0 where no driver is installed. */
    static Status status(int error, int devices, int runtimeVersion, int driverVersion) {
        if (error == Cudart.cudaSuccess() && devices > 0) {
            return new Status.Usable(devices, runtimeVersion, driverVersion);
        }
        if (driverVersion == 0) {
            return new Status.Unusable("no NVIDIA driver is installed");
        }
        if (error == Cudart.cudaErrorInsufficientDriver()) {
            return new Status.Unusable(
                    "the driver serves CUDA "
                            + version(driverVersion)
                            + ", the runtime is "
                            + version(runtimeVersion)
                            + ": a newer driver is needed");
        }
        if (error == Cudart.cudaErrorNoDevice() || error == Cudart.cudaSuccess()) {
            return new Status.Unusable("a driver is installed, but no device is visible");
        }
        return new Status.Unusable("cudaGetDeviceCount answers error " + error);
    }

    /**
     * {@return a version as NVIDIA writes it, e.g. {@code "13.0"}}
     *
     * @param number 1000 times major plus 10 times minor
     */
    public static String version(int number) {
        return number / 1000 + "." + number % 1000 / 10;
    }
}
