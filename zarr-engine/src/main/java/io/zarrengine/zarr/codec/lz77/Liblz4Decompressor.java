package io.zarrengine.zarr.codec.lz77;

import io.zarrengine.bindings.liblz4.Liblz4;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;

/** Decodes raw lz4 blocks by liblz4. */
public final class Liblz4Decompressor implements Decompressor {
    static final String NAME = "lz4";

    /**
     * Divisor for the largest front decoded alone. Stopping early takes nearly twice as long for
     * each byte, so it is worth it for up to half of the bytes.
     */
    private static final int PARTIAL_SHARE = 2;

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        if (encoded.byteSize() > Integer.MAX_VALUE || decoded.byteSize() > Integer.MAX_VALUE) {
            throw new CodecException(NAME, "a block of more than 2 GiB");
        }
        int written =
                Liblz4.LZ4_decompress_safe(
                        encoded, decoded, (int) encoded.byteSize(), (int) decoded.byteSize());
        if (written < 0) {
            throw Lz4Block.decodesToMoreThan(decoded.byteSize(), encoded)
                    ? new TargetTooSmallException(NAME, decoded.byteSize())
                    : new CodecException(NAME, "damaged near byte " + -written);
        }
        return written;
    }

    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        return bytes > decoded.byteSize() / PARTIAL_SHARE
                ? -1
                : salvageFront(encoded, decoded, bytes);
    }

    @Override
    public long salvageFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        boolean tooLarge =
                encoded.byteSize() > Integer.MAX_VALUE || decoded.byteSize() > Integer.MAX_VALUE;
        if (tooLarge || bytes == decoded.byteSize()) {
            return -1;
        }
        int written =
                Liblz4.LZ4_decompress_safe_partial(
                        encoded,
                        decoded,
                        (int) encoded.byteSize(),
                        (int) bytes,
                        (int) decoded.byteSize());
        return written < bytes ? -1 : written;
    }

    @Override
    public void close() {}
}
