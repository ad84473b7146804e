package io.zarrengine.gpu.chunk;

import io.zarrengine.bindings.frames.Lz4Header;
import io.zarrengine.bindings.frames.MappedBytes;
import io.zarrengine.bindings.frames.ZlibHeader;
import io.zarrengine.nvcomp.FrameCheck;
import io.zarrengine.zarr.pipeline.DeviceCodecs.Compression;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Finds the frame that nvCOMP decodes in a compressor's bytes. */
public final class FrameBounds {
    private FrameBounds() {}

    /** {@return the frame, or empty if its header is invalid} */
    public static Optional<MemorySegment> inside(
            Compression compression, MemorySegment bytes, long decodedBytes) {
        return switch (compression) {
            case LZ4 -> lz4Block(bytes, decodedBytes);
            case ZLIB -> FrameCheck.zlibBody(bytes);
            case NONE, ZSTD, GZIP, BLOSC -> Optional.of(bytes);
        };
    }

    /** Returns the raw block after its size field, which must contain the expected size. */
    private static Optional<MemorySegment> lz4Block(MemorySegment bytes, long decodedBytes) {
        boolean fits =
                bytes.byteSize() > Lz4Header.BYTES
                        && Lz4Header.contentBytes(new MappedBytes(bytes)) == decodedBytes;
        return fits ? Optional.of(bytes.asSlice(Lz4Header.BYTES)) : Optional.empty();
    }

    /** {@return the number of bytes before the frame} */
    public static long before(Compression compression) {
        return switch (compression) {
            case LZ4 -> Lz4Header.BYTES;
            case ZLIB -> ZlibHeader.BYTES;
            case NONE, ZSTD, GZIP, BLOSC -> 0;
        };
    }

    /** {@return the number of bytes after the frame} */
    public static long after(Compression compression) {
        return compression == Compression.ZLIB ? ZlibHeader.TRAILER_BYTES : 0;
    }
}
