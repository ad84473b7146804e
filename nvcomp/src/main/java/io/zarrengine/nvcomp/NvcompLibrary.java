package io.zarrengine.nvcomp;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.nvcomp.Nvcomp;
import io.zarrengine.bindings.nvcomp.nvcompProperties_t;
import io.zarrengine.cuda.CudaRuntime;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * The installed nvCOMP library, probed once.
 *
 * <p>Releases 5.0 to 6.x are supported. 4.x has another ABI, and later releases may.
 */
public final class NvcompLibrary {
    /** The result of the probe. */
    public sealed interface Status {
        /**
         * A supported release.
         *
         * @param version 1000 times major plus 100 times minor plus patch
         * @param formats the formats that it decodes, by nvCOMP's names, e.g. {@code "Zstd"}
         */
        record Usable(int version, List<String> formats) implements Status {}

        /**
         * No library, or an unsupported release.
         *
         * @param reason the reason, in one line
         */
        record Unusable(String reason) implements Status {}
    }

    private static final int VERSION_MIN = 5000;
    private static final int VERSION_END = 7000;
    private static final int CASCADED_END = 6000;

    private static final class Holder {
        private static final Status STATUS = probe();
    }

    private NvcompLibrary() {}

    /** {@return whether nvCOMP can be called, and otherwise the reason} It also needs a device. */
    public static Status status() {
        return Holder.STATUS;
    }

    /**
     * {@return the reason for which nothing can be decoded on a GPU, or an empty string if it can}
     */
    public static String unavailabilityCause() {
        return switch (status()) {
            case Status.Unusable unusable -> unusable.reason();
            case Status.Usable _ ->
                    CudaRuntime.status() instanceof CudaRuntime.Status.Unusable unusable
                            ? unusable.reason()
                            : "";
        };
    }

    private static Status probe() {
        if (!NativeLibrary.NVCOMP.isAvailable()) {
            return new Status.Unusable(NativeLibrary.NVCOMP.unavailabilityCause().orElseThrow());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = nvcompProperties_t.allocate(arena);
            int status = Nvcomp.nvcompGetProperties(properties);
            if (status != Nvcomp.nvcompSuccess()) {
                return new Status.Unusable("nvcompGetProperties answers status " + status);
            }
            int version = nvcompProperties_t.version(properties);
            return status(version, formats(version));
        }
    }

    static Status status(int version, List<String> formats) {
        if (version < VERSION_MIN || version >= VERSION_END) {
            return new Status.Unusable(
                    "nvCOMP " + version(version) + " is not known; 5.0 to 6.x are");
        }
        return new Status.Usable(version, formats);
    }

    /**
     * Returns the formats that a release decodes. A release may leave a format out; 6.0 renamed the
     * function that returns the scratch size.
     */
    private static List<String> formats(int version) {
        return Arrays.stream(NvcompFormat.values())
                .filter(format -> isKnown(format, version) && hasDecoder(format))
                .map(NvcompFormat::cName)
                .toList();
    }

    /**
     * Returns whether default options are known. They are all zero, except for Cascaded from 6.0
     * on.
     */
    static boolean isKnown(NvcompFormat format, int version) {
        return format != NvcompFormat.CASCADED || version < CASCADED_END;
    }

    /**
     * {@return whether this release decodes a format}
     *
     * @param format the format
     */
    public static boolean canDecode(NvcompFormat format) {
        return status() instanceof Status.Usable usable
                && usable.formats().contains(format.cName());
    }

    /**
     * {@return whether this release encodes a format} 5.1 does not report the alignment that gzip's
     * encoder requires.
     *
     * @param format the format
     */
    public static boolean canEncode(NvcompFormat format) {
        return status() instanceof Status.Usable usable
                && isKnown(format, usable.version())
                && hasEncoder(format);
    }

    private static boolean hasDecoder(NvcompFormat format) {
        return hasFunctions("nvcompBatched" + format.cName() + "Decompress");
    }

    private static boolean hasEncoder(NvcompFormat format) {
        String call = "nvcompBatched" + format.cName() + "Compress";
        return hasFunctions(call) && NativeLibrary.NVCOMP.has(call + "GetMaxOutputChunkSize");
    }

    private static boolean hasFunctions(String call) {
        return NativeLibrary.NVCOMP.has(call + "Async")
                && NativeLibrary.NVCOMP.has(call + "GetRequiredAlignments")
                && (NativeLibrary.NVCOMP.has(call + "GetTempSize")
                        || NativeLibrary.NVCOMP.has(call + "GetTempSizeAsync"));
    }

    /**
     * {@return a version in NVIDIA's notation, e.g. {@code "5.1.0"}}
     *
     * @param number 1000 times major plus 100 times minor plus patch
     */
    public static String version(int number) {
        return number / 1000 + "." + number % 1000 / 100 + "." + number % 100;
    }
}
