package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.MissingLibraryException;
import java.util.function.Supplier;

/** Decoders in Java, of aircompressor: for where neither machine code nor a library decodes. */
final class JavaDecompressors {
    static final String SNAPPY = "snappy";

    private JavaDecompressors() {}

    static Decompressor zstd() throws CodecException {
        return create(ZstdCodec.NAME, () -> JavaDecompressor.zstd());
    }

    static Decompressor lz4() throws CodecException {
        return create(NativeLz4Decompressor.NAME, () -> JavaDecompressor.lz4());
    }

    static Decompressor snappy() throws CodecException {
        return create(SNAPPY, () -> JavaDecompressor.snappy());
    }

    /** The class that is missing is looked for when the one that knows it is linked. */
    private static Decompressor create(String name, Supplier<Decompressor> constructor)
            throws CodecException {
        try {
            return constructor.get();
        } catch (NoClassDefFoundError e) {
            throw new MissingLibraryException(
                    name,
                    "no decoder: there is no machine code, no native library, and no aircompressor-v3",
                    e);
        }
    }
}
