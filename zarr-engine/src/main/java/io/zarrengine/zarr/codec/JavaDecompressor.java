package io.zarrengine.zarr.codec;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;

/** A decoder of aircompressor's. The only class that knows it: it is optional. */
final class JavaDecompressor implements Decompressor {
    /** How the message of its zstd decoder begins, the only trace of the reason. */
    private static final String TOO_SMALL = "Output buffer too small";

    private final String name;
    private final io.airlift.compress.v3.Decompressor delegate;

    private JavaDecompressor(String name, io.airlift.compress.v3.Decompressor delegate) {
        this.name = name;
        this.delegate = delegate;
    }

    static Decompressor zstd() {
        return new JavaDecompressor(ZstdCodec.NAME, new ZstdJavaDecompressor());
    }

    static Decompressor lz4() {
        return new JavaDecompressor(NativeLz4Decompressor.NAME, new Lz4JavaDecompressor());
    }

    static Decompressor snappy() {
        return new JavaDecompressor(JavaDecompressors.SNAPPY, new SnappyJavaDecompressor());
    }

    /**
     * Its refusals come in several types. To an empty target it writes nothing and says so,
     * whatever the input: one byte in its place tells.
     */
    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        boolean empty = decoded.byteSize() == 0;
        MemorySegment target = empty ? MemorySegment.ofArray(new byte[1]) : decoded;
        long written;
        try {
            written = delegate.decompress(encoded, target);
        } catch (MalformedInputException
                | IllegalArgumentException
                | IllegalStateException
                | IndexOutOfBoundsException e) {
            throw refused(e, encoded, decoded);
        }
        if (written < 0 || written > decoded.byteSize()) {
            throw new TargetTooSmallException(name, decoded.byteSize());
        }
        return written;
    }

    private CodecException refused(
            RuntimeException problem, MemorySegment encoded, MemorySegment decoded) {
        boolean tooSmall =
                name.equals(NativeLz4Decompressor.NAME)
                        ? Lz4Block.decodesToMoreThan(decoded.byteSize(), encoded)
                        : String.valueOf(problem.getMessage()).startsWith(TOO_SMALL);
        return tooSmall
                ? new TargetTooSmallException(name, decoded.byteSize())
                : new CodecException(name, "damaged: " + words(problem), problem);
    }

    /**
     * Other exceptions than its own speak of arrays and indexes, and its own end with an offset,
     * which is an address of this process in some of them.
     */
    private static String words(RuntimeException problem) {
        return problem instanceof MalformedInputException own
                ? own.getMessage().replaceFirst(": offset=-?\\d+$", "")
                : "it cannot be decoded";
    }

    @Override
    public void close() {}
}
