package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.cufile.Cufile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Probes for GPUDirect Storage, with which NVIDIA's cuFile reads files directly to device memory.
 * It needs a kernel module (nvidia-fs), or a kernel and a driver that support peer-to-peer
 * transfers, which virtual machines rarely have.
 *
 * <p>cuFile's compatibility mode, which reads to host memory and copies, is off, because it would
 * only do what {@link PinnedSlots} does. {@code -Dio.zarrengine.cufile.compat=true} allows it, for
 * tests.
 *
 * <p>cuFile writes its log to {@code cufile.log} in the working directory, unless the environment
 * variable {@code CUFILE_LOGFILE_PATH} names another file, as the project's launchers do.
 *
 * <p>The driver is opened once per process, on the first call of {@link #status}, and stays open.
 */
public final class GpuDirectStorage {
    /** The result of the probe. */
    public sealed interface Status {
        /**
         * Direct reads work, as far as the probe can tell without a file.
         *
         * @param version version of cuFile, 1000 times major plus 10 times minor plus patch
         * @param isDirect false in the compatibility mode
         */
        record Usable(int version, boolean isDirect) implements Status {}

        /**
         * Direct reads do not work.
         *
         * @param reason the reason, in one line
         */
        record Unusable(String reason) implements Status {}
    }

    private static final class Holder {
        private static final Status STATUS = probe();
    }

    private GpuDirectStorage() {}

    /** {@return whether GPUDirect Storage works, and otherwise the reason} */
    public static Status status() {
        return Holder.STATUS;
    }

    private static Status probe() {
        if (!NativeLibrary.CUFILE.isAvailable()) {
            return new Status.Unusable(NativeLibrary.CUFILE.unavailabilityCause().orElseThrow());
        }
        if (CudaRuntime.status() instanceof CudaRuntime.Status.Unusable unusable) {
            return new Status.Unusable(unusable.reason());
        }
        boolean isCompat = Boolean.getBoolean("io.zarrengine.cufile.compat");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(JAVA_INT);
            GdsException.check(Cufile.cuFileGetVersion(arena, version), "cuFileGetVersion", "");
            GdsException.check(
                    Cufile.cuFileSetParameterBool(
                            arena, Cufile.CUFILE_PARAM_PROPERTIES_ALLOW_COMPAT_MODE(), isCompat),
                    "cuFileSetParameterBool",
                    "allow_compat_mode");
            GdsException.check(Cufile.cuFileDriverOpen(arena), "cuFileDriverOpen", "");
            return new Status.Usable(version.get(JAVA_INT, 0), !isCompat);
        } catch (GdsException e) {
            return new Status.Unusable(e.getMessage());
        }
    }

    /**
     * {@return a version in NVIDIA's notation, e.g. {@code "1.15.1"}}
     *
     * @param number 1000 times major plus 10 times minor plus patch
     */
    public static String version(int number) {
        return number / 1000 + "." + number % 1000 / 10 + "." + number % 10;
    }
}
