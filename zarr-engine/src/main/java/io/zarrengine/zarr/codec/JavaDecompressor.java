package io.zarrengine.zarr.codec;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** aircompressor's decoders in Java: snappy always, zstd and lz4 where the library is missing. */
final class JavaDecompressor implements Decompressor {
    private final String name;
    private final io.airlift.compress.v3.Decompressor delegate;

    private JavaDecompressor(String name, io.airlift.compress.v3.Decompressor delegate) {
        this.name = name;
        this.delegate = delegate;
    }

    static JavaDecompressor zstd() throws CodecException {
        return create(ZstdCodec.NAME, ZstdJavaDecompressor::new);
    }

    static JavaDecompressor lz4() throws CodecException {
        return create(NativeLz4Decompressor.NAME, Lz4JavaDecompressor::new);
    }

    static JavaDecompressor snappy() throws CodecException {
        return create("snappy", SnappyJavaDecompressor::new);
    }

    private static JavaDecompressor create(
            String name, Supplier<io.airlift.compress.v3.Decompressor> constructor)
            throws CodecException {
        try {
            return new JavaDecompressor(name, constructor.get());
        } catch (NoClassDefFoundError e) {
            throw new CodecException(
                    name, "no decoder: there is no native library and no aircompressor-v3", e);
        }
    }

    /** Its refusals come in several types; an empty target is refused with -1. */
    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long written;
        try {
            written = delegate.decompress(encoded, decoded);
        } catch (MalformedInputException
                | IllegalArgumentException
                | IllegalStateException
                | IndexOutOfBoundsException e) {
            throw new CodecException(name, "damaged: " + e.getMessage(), e);
        }
        if (written < 0) {
            throw new CodecException(name, "more than " + decoded.byteSize() + " bytes");
        }
        return written;
    }

    @Override
    public void close() {}
}
