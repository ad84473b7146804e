package io.zarrengine.zarr.codec.deflate;

import io.zarrengine.zarr.codec.ByteBuffers;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.FrontDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.zip.Deflater;

/**
 * The {@code zlib} codec.
 *
 * @param level 0 to 9; -1 for zlib's default
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/compression/zlib.html">numcodecs,
 *     Zlib</a>
 */
public record ZlibCodec(int level) implements FrontDecoder {
    public static final String NAME = "zlib";

    /** Creates decoders. */
    public static final CodecContext.Factory<Decompressor> DECOMPRESSOR = ZlibDecompressor::new;

    /** Header and trailer, and 5 bytes for each incompressible block. */
    private static final long STREAM_BYTES = 64;

    private static final long BLOCK_BYTES_MIN = 8192;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + (decodedBytes / BLOCK_BYTES_MIN + 1) * 5 + STREAM_BYTES;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        try (Deflater deflater = new Deflater(level)) {
            long read = 0;
            long written = 0;
            do {
                var input = ByteBuffers.part(decoded, read);
                deflater.setInput(input);
                if (read + input.remaining() == decoded.byteSize()) {
                    deflater.finish();
                }
                written += deflater.deflate(ByteBuffers.part(encoded, written));
                read += input.position();
            } while (!deflater.finished());
            return written;
        }
    }

    @Override
    public CodecContext.Factory<Decompressor> decompressor() {
        return DECOMPRESSOR;
    }
}
