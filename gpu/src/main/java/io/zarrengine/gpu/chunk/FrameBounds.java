package io.zarrengine.gpu.chunk;

import io.zarrengine.nvcomp.FrameCheck;
import io.zarrengine.zarr.pipeline.DeviceCodecs;
import io.zarrengine.zarr.pipeline.DeviceCodecs.Compression;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Where in a compressor's bytes the frame lies that nvCOMP decodes. */
public final class FrameBounds {
    private static final int LZ4_SIZE_BYTES = 4;

    private FrameBounds() {}

    /** {@return the frame, or empty if its header is not as it must be} */
    public static Optional<MemorySegment> inside(
            Compression compression, MemorySegment bytes, long decodedBytes) {
        return switch (compression) {
            case LZ4 -> DeviceCodecs.lz4Block(bytes, decodedBytes);
            case ZLIB -> FrameCheck.zlibBody(bytes);
            case NONE, ZSTD, GZIP, BLOSC -> Optional.of(bytes);
        };
    }

    /** {@return bytes before the frame} */
    public static long before(Compression compression) {
        return switch (compression) {
            case LZ4 -> LZ4_SIZE_BYTES;
            case ZLIB -> FrameCheck.ZLIB_HEADER_BYTES;
            case NONE, ZSTD, GZIP, BLOSC -> 0;
        };
    }

    /** {@return bytes behind the frame} */
    public static long after(Compression compression) {
        return compression == Compression.ZLIB ? FrameCheck.ZLIB_TRAILER_BYTES : 0;
    }
}
