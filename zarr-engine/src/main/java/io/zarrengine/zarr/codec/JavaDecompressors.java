package io.zarrengine.zarr.codec;

import java.util.function.Supplier;

/** Decoders of lz4 and snappy in Java, for where neither machine code nor a library decodes. */
final class JavaDecompressors {
    private JavaDecompressors() {}

    /** {@return a decoder of raw lz4 blocks} */
    static Decompressor lz4() {
        return orElse(() -> JavaDecompressor.lz4(), JavaLz4Decompressor::new);
    }

    /** {@return a decoder of snappy} */
    static Decompressor snappy() {
        return orElse(() -> JavaDecompressor.snappy(), JavaSnappyDecompressor::new);
    }

    /** The class that is missing is looked for when the one that knows it is linked. */
    private static Decompressor orElse(
            Supplier<Decompressor> withLibrary, Supplier<Decompressor> without) {
        try {
            return withLibrary.get();
        } catch (NoClassDefFoundError e) {
            return without.get();
        }
    }
}
