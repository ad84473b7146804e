package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.MissingLibraryException;
import java.util.function.Supplier;

/** Decoders in Java, for where neither machine code nor a library decodes. */
final class JavaDecompressors {
    private JavaDecompressors() {}

    /**
     * {@return a decoder of zstd}
     *
     * @throws MissingLibraryException if aircompressor is missing
     */
    static Decompressor zstd(boolean verifiesChecksums) throws CodecException {
        try {
            return new JavaZstdDecompressor(verifiesChecksums);
        } catch (NoClassDefFoundError e) {
            throw new MissingLibraryException(
                    ZstdCodec.NAME,
                    "there is no decoder: no machine code, no libzstd, and no aircompressor-v3",
                    e);
        }
    }

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
