package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.cufile.Cufile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Whether files can be read to device memory without the host's: GPUDirect Storage, through
 * NVIDIA's cuFile. It needs a kernel module (nvidia-fs), or a kernel and a driver that let devices
 * talk to each other, which virtual machines rarely have.
 *
 * <p>cuFile's compatibility mode, in which it reads to the host's memory and copies, is off: it
 * would look the same and do what {@link PinnedRing} does. {@code
 * -Dio.zarrengine.cufile.compat=true} allows it, for tests.
 *
 * <p>Its log goes to {@code cufile.log} in the working directory, unless the variable {@code
 * CUFILE_LOGFILE_PATH} names another file, as the project's launchers do.
 *
 * <p>The driver is opened when it is first asked for, once a process, and ends with it.
 */
public final class GpuDirectStorage {
    /** The answer. */
    public sealed interface Status {
        /**
         * It works, as far as can be told without a file.
         *
         * @param version of cuFile, 1000 times major plus 10 times minor plus patch
         * @param isDirect false in the compatibility mode
         */
        record Usable(int version, boolean isDirect) implements Status {}

        /**
         * It does not.
         *
         * @param reason why; one line
         */
        record Unusable(String reason) implements Status {}
    }

    private static final class Holder {
        private static final Status STATUS = probe();
    }

    private GpuDirectStorage() {}

    /** {@return whether there is GPUDirect Storage here} */
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
     * {@return a version as NVIDIA writes it, e.g. {@code "1.15.1"}}
     *
     * @param number 1000 times major plus 10 times minor plus patch
     */
    public static String version(int number) {
        return number / 1000 + "." + number % 1000 / 10 + "." + number % 10;
    }
}
