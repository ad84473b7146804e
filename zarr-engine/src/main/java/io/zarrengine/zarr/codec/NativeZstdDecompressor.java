package io.zarrengine.zarr.codec;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** libzstd, with a context that is reused: creating one costs more than decoding a small chunk. */
final class NativeZstdDecompressor implements Decompressor {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment context;

    NativeZstdDecompressor() {
        MemorySegment created = Libzstd.ZSTD_createDCtx();
        if (created.address() == 0) {
            arena.close();
            throw new OutOfMemoryError("ZSTD_createDCtx");
        }
        context = NativeHandle.attach(created, arena, Libzstd::ZSTD_freeDCtx);
    }

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        return ZstdCodec.checked(
                Libzstd.ZSTD_decompressDCtx(
                        context, decoded, decoded.byteSize(), encoded, encoded.byteSize()),
                decoded);
    }

    @Override
    public void close() {
        arena.close();
    }
}
