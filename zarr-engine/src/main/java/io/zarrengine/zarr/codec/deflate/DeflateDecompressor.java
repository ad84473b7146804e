package io.zarrengine.zarr.codec.deflate;

import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes one deflate stream without header and trailer, as in zip files.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1951">RFC 1951</a>
 */
final class DeflateDecompressor implements Decompressor {
    private static final String NAME = "deflate";

    private final Inflate inflate = new Inflate(NAME);

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long written = inflate.run(encoded, decoded);
        long more = encoded.byteSize() - inflate.consumedBytes();
        if (more != 0) {
            throw new CodecException(NAME, more + " bytes follow the stream");
        }
        return written;
    }

    @Override
    public void close() {
        inflate.close();
    }
}
