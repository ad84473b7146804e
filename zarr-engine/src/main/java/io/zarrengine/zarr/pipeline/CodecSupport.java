package io.zarrengine.zarr.pipeline;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.liblz4.Liblz4;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.bindings.machinecode.MachineCodeShuffle;
import io.zarrengine.zarr.codec.zstd.MachineCodeZstdDecompressor;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.shuffle.VectorUnit;

/** Reports the optional parts of decoding that this machine has. */
public final class CodecSupport {
    private CodecSupport() {}

    /** {@return the release of libzstd, e.g. {@code "1.5.4"}; empty if it is missing} */
    public static String zstdVersion() {
        return NativeLibrary.LIBZSTD.isAvailable() ? version(Libzstd.ZSTD_versionNumber()) : "";
    }

    /** {@return the release of liblz4, e.g. {@code "1.9.4"}; empty if it is missing} */
    public static String lz4Version() {
        return NativeLibrary.LIBLZ4.isAvailable() ? version(Liblz4.LZ4_versionNumber()) : "";
    }

    /**
     * Formats a version. Both libraries count 10000 times major plus 100 times minor plus release.
     */
    private static String version(int number) {
        return number / 10000 + "." + number / 100 % 100 + "." + number % 100;
    }

    /**
     * {@return whether aircompressor is there: it decodes zstd in Java, and lz4 faster than the
     * engine's Java decoder}
     */
    public static boolean hasJavaDecoders() {
        try {
            MachineCodeZstdDecompressor.inJava(true).close();
            return true;
        } catch (CodecException e) {
            return false;
        }
    }

    /** {@return whether kernels use the Vector API} */
    public static boolean hasVectorUnit() {
        return VectorUnit.IS_THERE;
    }

    /** {@return a sentence on whether the Vector API is there, or how to get it} */
    public static String vectorFinding() {
        if (hasVectorUnit()) {
            return "the Vector API is there";
        }
        return MachineCodeShuffle.denial().isEmpty()
                ? "the Vector API was not added; machine code does what it is for"
                : "add --add-modules " + VectorUnit.MODULE + "; scalar loops are used";
    }
}
