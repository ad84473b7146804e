package io.zarrengine.zarr.codec.lz77;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes lz4 and snappy by the optional aircompressor library. The engine's slower Java decoders
 * decode input that it refuses, and report the error.
 */
final class AircompressorDecompressor implements Decompressor {
    private final io.airlift.compress.v3.Decompressor fast;
    private final Decompressor other;

    private AircompressorDecompressor(
            io.airlift.compress.v3.Decompressor fast, Decompressor other) {
        this.fast = fast;
        this.other = other;
    }

    static Decompressor lz4() {
        return new AircompressorDecompressor(new Lz4JavaDecompressor(), new JavaLz4Decompressor());
    }

    static Decompressor snappy() {
        return new AircompressorDecompressor(
                new SnappyJavaDecompressor(), new JavaSnappyDecompressor());
    }

    /**
     * Catches the refusals of aircompressor, which have several types. It writes nothing to an
     * empty target without a refusal.
     */
    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        if (decoded.byteSize() > 0) {
            try {
                return fast.decompress(encoded, decoded);
            } catch (MalformedInputException
                    | IllegalArgumentException
                    | IllegalStateException
                    | IndexOutOfBoundsException e) {
                return other.decompress(encoded, decoded);
            }
        }
        return other.decompress(encoded, decoded);
    }

    @Override
    public long salvageFront(MemorySegment encoded, MemorySegment decoded, long bytes)
            throws CodecException {
        return other.decompressFront(encoded, decoded, bytes);
    }

    @Override
    public void close() {}
}
