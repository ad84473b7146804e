package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/** One zlib stream; the JDK's inflater checks its Adler-32. */
final class ZlibDecompressor implements Decompressor {
    private final InflateLoop inflate = new InflateLoop(ZlibCodec.NAME, false);

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long written = inflate.run(encoded, decoded);
        if (inflate.consumedBytes() != encoded.byteSize()) {
            throw new CodecException(
                    ZlibCodec.NAME,
                    (encoded.byteSize() - inflate.consumedBytes()) + " bytes follow the stream");
        }
        return written;
    }

    @Override
    public void close() {
        inflate.close();
    }
}
