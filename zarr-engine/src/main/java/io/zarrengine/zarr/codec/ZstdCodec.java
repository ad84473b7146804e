package io.zarrengine.zarr.codec;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;

/**
 * The {@code zstd} codec.
 *
 * @param level -131072 to 22
 * @param checksum whether encoding adds a checksum to the frame; decoding checks one that is there
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd">
 *     zarr-extensions, zstd</a>
 */
record ZstdCodec(int level, boolean checksum) implements FrontDecoder, BytesCodec.StreamingDecoder {
    static final String NAME = "zstd";
    private static final long ERROR_NAME_BYTES_MAX = 256;

    /** -ZSTD_error_dstSize_tooSmall of zstd_errors.h, where the numbers are "pinned down". */
    private static final long TARGET_TOO_SMALL = -70;

    @Override
    public String name() {
        return NAME;
    }

    /** ZSTD_COMPRESSBOUND of zstd.h. */
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
        return workspace.zstdCompressor().compress(decoded, encoded, level, checksum);
    }

    @Override
    public Workspace.Format format() {
        return Workspace.Format.ZSTD;
    }

    @Override
    public boolean decodesPartsOf(long decodedBytes) {
        return decodedBytes > ZstdBlock.DECODED_BYTES_MAX;
    }

    @Override
    public boolean streamsChunksOf(long decodedBytes) {
        return decodedBytes >= ZstdBlocks.CHUNK_BYTES_MIN;
    }

    @Override
    public long stream(
            MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
            throws CodecException {
        return workspace.decompressor(Workspace.Format.ZSTD).stream(
                encoded, decodedBytes, sink, workspace);
    }

    /**
     * {@return a result of libzstd, unless it is an error code}
     *
     * @param target where the call wrote to
     */
    static long checked(long result, MemorySegment target) throws CodecException {
        if (result == TARGET_TOO_SMALL) {
            throw new TargetTooSmallException(NAME, target.byteSize());
        }
        return checked(result);
    }

    /** {@return a result of libzstd, unless it is an error code} */
    static long checked(long result) throws CodecException {
        if (Libzstd.ZSTD_isError(result) != 0) {
            MemorySegment message = Libzstd.ZSTD_getErrorName(result);
            throw new CodecException(NAME, NativeHandle.string(message, ERROR_NAME_BYTES_MAX));
        }
        return result;
    }
}
