package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.zarr.codec.BlockSink;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.FrontDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * The {@code zstd} codec.
 *
 * @param level -131072 to 22
 * @param checksum whether encoding adds a checksum to the frame; decoding verifies a checksum if
 *     there is one
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd">
 *     zarr-extensions, zstd</a>
 */
public record ZstdCodec(int level, boolean checksum)
        implements FrontDecoder, BytesCodec.StreamingDecoder {
    /** The name in metadata. */
    public static final String NAME = Zstd.NAME;

    /** Creates decoders: machine code, then libzstd, then Java. */
    public static final CodecContext.Factory<Decompressor> DECOMPRESSOR =
            MachineCodeZstdDecompressor::orElse;

    private static final CodecContext.Factory<LibzstdCompressor> COMPRESSOR =
            _ -> new LibzstdCompressor();

    @Override
    public String name() {
        return NAME;
    }

    /** Returns ZSTD_COMPRESSBOUND of zstd.h. */
    @Override
    public long encodedBytesMax(long decodedBytes) {
        long smallInput = 128 << 10;
        long margin = decodedBytes < smallInput ? (smallInput - decodedBytes) >>> 11 : 0;
        return decodedBytes + (decodedBytes >>> 8) + margin;
    }

    @Override
    public boolean canEncode() {
        return NativeLibrary.LIBZSTD.isAvailable();
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        return workspace.context(COMPRESSOR).compress(decoded, encoded, level, checksum);
    }

    @Override
    public CodecContext.Factory<Decompressor> decompressor() {
        return DECOMPRESSOR;
    }

    @Override
    public boolean decodesPartsOf(long decodedBytes) {
        return decodedBytes > ZstdBlock.DECODED_BYTES_MAX;
    }

    @Override
    public boolean streamsChunksOf(long decodedBytes) {
        return decodedBytes >= LibzstdBlocks.CHUNK_BYTES_MIN;
    }

    @Override
    public long stream(
            MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
            throws CodecException {
        return workspace.context(DECOMPRESSOR).stream(encoded, decodedBytes, sink, workspace);
    }
}
