package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.zarr.codec.Decompressor;
import java.util.function.Supplier;

/**
 * Decoders of lz4 and snappy in Java, used if neither machine code nor a native library is there.
 */
public final class JavaDecompressors {
    private JavaDecompressors() {}

    /** {@return a decoder of raw lz4 blocks} */
    public static Decompressor lz4() {
        return orElse(() -> AircompressorDecompressor.lz4(), JavaLz4Decompressor::new);
    }

    /** {@return a decoder of snappy} */
    public static Decompressor snappy() {
        return orElse(() -> AircompressorDecompressor.snappy(), JavaSnappyDecompressor::new);
    }

    /**
     * Falls back if the optional library is missing. The JVM looks for it when it links the class
     * that uses it.
     */
    private static Decompressor orElse(
            Supplier<Decompressor> withLibrary, Supplier<Decompressor> without) {
        try {
            return withLibrary.get();
        } catch (NoClassDefFoundError e) {
            return without.get();
        }
    }
}
