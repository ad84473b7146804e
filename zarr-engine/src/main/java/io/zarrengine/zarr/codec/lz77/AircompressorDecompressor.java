package io.zarrengine.zarr.codec.lz77;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * lz4 and snappy by decoders of aircompressor's, which are optional; what they refuse decoders of
 * ours get, which are slower, and tell what is wrong with it.
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

    /** Its refusals come in several types; to an empty target it says that it writes nothing. */
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
