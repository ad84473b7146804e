package io.zarrengine.zarr.codec.deflate;

import io.zarrengine.zarr.codec.ByteBuffers;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/**
 * The compression of a chunk by a zip file, after the chunk's own codecs: a deflate stream, whose
 * size and checksum are in the zip file's directory. Can only decode.
 *
 * @param bytes the chunk's encoded size before it was deflated
 * @param crc32 of those bytes
 */
public record ZipDeflateCodec(long bytes, int crc32) implements BytesCodec.Compressor {
    private static final String NAME = "deflate of the zip file";
    private static final CodecContext.Factory<Decompressor> DECOMPRESSOR =
            _ -> new DeflateDecompressor();

    /** Smallest incompressible block, each of which adds 5 bytes to a stream. */
    private static final long BLOCK_BYTES_MIN = 8192;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean canEncode() {
        return false;
    }

    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + (decodedBytes / BLOCK_BYTES_MIN + 1) * 5;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace) {
        throw new UnsupportedOperationException("zip files are not written");
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        if (bytes > decoded.byteSize()) {
            throw new TargetTooSmallException(NAME, bytes, decoded.byteSize());
        }
        MemorySegment target = decoded.asSlice(0, bytes);
        long written =
                ChunkDecoder.checkedSize(
                        NAME, workspace.context(DECOMPRESSOR).decompress(encoded, target), bytes);
        if (workspace.verifiesChecksums()) {
            CRC32 crc = new CRC32();
            ByteBuffers.update(crc, target);
            if ((int) crc.getValue() != crc32) {
                throw new CodecException(NAME, "the checksum in the zip file is another one");
            }
        }
        return written;
    }
}
