package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.cudart.Cudart;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The state of the CUDA runtime on this machine, probed once. The library, the driver or the device
 * may be missing; the status distinguishes them, because the remedies differ.
 */
public final class CudaRuntime {
    /** The result of the probe. */
    public sealed interface Status {
        /**
         * CUDA can be used.
         *
         * @param devices number of devices
         * @param runtimeVersion version of the library, 1000 times major plus 10 times minor
         * @param driverVersion the newest runtime that the driver supports, in the same form
         */
        record Usable(int devices, int runtimeVersion, int driverVersion) implements Status {}

        /**
         * CUDA cannot be used.
         *
         * @param cause the missing part
         * @param reason the reason and the remedy, in one line
         */
        record Unusable(Cause cause, String reason) implements Status {}
    }

    /** The part that is missing. */
    public enum Cause {
        /** There is no libcudart, or native access is not enabled. */
        NO_LIBRARY,
        /** There is no driver. */
        NO_DRIVER,
        /** The driver is older than the runtime. */
        OLD_DRIVER,
        /** There is a driver, but no device that is visible to this process. */
        NO_DEVICE,
        /** There is a device, but it does not work, or not yet. */
        LOST_DEVICE,
        /** The runtime fails in another way. */
        FAILURE
    }

    private static final class Holder {
        private static final Status STATUS = probe();
    }

    private CudaRuntime() {}

    /** {@return whether CUDA can be used, and otherwise the reason} */
    public static Status status() {
        return Holder.STATUS;
    }

    private static Status probe() {
        if (!NativeLibrary.CUDART.isAvailable()) {
            return new Status.Unusable(
                    Cause.NO_LIBRARY, NativeLibrary.CUDART.unavailabilityCause().orElseThrow());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment runtime = arena.allocate(JAVA_INT);
            MemorySegment driver = arena.allocate(JAVA_INT);
            MemorySegment devices = arena.allocate(JAVA_INT);
            Cudart.cudaRuntimeGetVersion(runtime);
            Cudart.cudaDriverGetVersion(driver);
            int code = Cudart.cudaGetDeviceCount(devices);
            Cudart.cudaGetLastError(); // clears it: other libraries would report our error
            return status(
                    code,
                    devices.get(JAVA_INT, 0),
                    runtime.get(JAVA_INT, 0),
                    driver.get(JAVA_INT, 0));
        }
    }

    /** {@code driverVersion} is 0 if no driver is installed. */
    static Status status(int code, int devices, int runtimeVersion, int driverVersion) {
        if (code == 0 && devices > 0) {
            return new Status.Usable(devices, runtimeVersion, driverVersion);
        }
        if (driverVersion == 0) {
            return new Status.Unusable(Cause.NO_DRIVER, "no NVIDIA driver is installed");
        }
        if (code == 0) {
            return noDevice();
        }
        return switch (CudaError.of(code)) {
            case NO_DEVICE -> noDevice();
            case INSUFFICIENT_DRIVER, CALL_REQUIRES_NEWER_DRIVER ->
                    new Status.Unusable(Cause.OLD_DRIVER, oldDriver(runtimeVersion, driverVersion));
            case DEVICES_UNAVAILABLE,
                    INITIALIZATION,
                    SYSTEM_NOT_READY,
                    ECC_UNCORRECTABLE,
                    NVLINK_UNCORRECTABLE,
                    UNKNOWN ->
                    new Status.Unusable(Cause.LOST_DEVICE, lostDevice(code));
            default -> new Status.Unusable(Cause.FAILURE, answer(code));
        };
    }

    private static Status noDevice() {
        return new Status.Unusable(
                Cause.NO_DEVICE, "a driver is installed, but no device is visible");
    }

    private static String oldDriver(int runtimeVersion, int driverVersion) {
        return "the driver serves CUDA "
                + version(driverVersion)
                + ", the runtime is "
                + version(runtimeVersion)
                + ": a newer driver is needed";
    }

    private static String lostDevice(int code) {
        return "a device is there and does not work: " + answer(code) + "; see nvidia-smi";
    }

    private static String answer(int code) {
        return "cudaGetDeviceCount answers " + CudaError.of(code).cName() + " (" + code + ")";
    }

    /**
     * {@return a version in NVIDIA's notation, e.g. {@code "13.0"}}
     *
     * @param number 1000 times major plus 10 times minor
     */
    public static String version(int number) {
        return number / 1000 + "." + number % 1000 / 10;
    }
}
