package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Encodes by libzstd, with a context that is reused. Owner: one {@link Workspace}. */
public final class LibzstdCompressor implements CodecContext {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment context;

    public LibzstdCompressor() throws CodecException {
        var missing = NativeLibrary.LIBZSTD.unavailabilityCause();
        if (missing.isPresent()) {
            throw new CodecException(Zstd.NAME, "cannot encode: " + missing.get());
        }
        MemorySegment created = Libzstd.ZSTD_createCCtx();
        if (created.address() == 0) {
            arena.close();
            throw new OutOfMemoryError("ZSTD_createCCtx");
        }
        context = NativeHandle.attach(created, arena, Libzstd::ZSTD_freeCCtx);
    }

    public long compress(MemorySegment decoded, MemorySegment encoded, int level, boolean checksum)
            throws CodecException {
        set(Libzstd.ZSTD_c_compressionLevel(), level);
        set(Libzstd.ZSTD_c_checksumFlag(), checksum ? 1 : 0);
        return Zstd.checked(
                Libzstd.ZSTD_compress2(
                        context, encoded, encoded.byteSize(), decoded, decoded.byteSize()));
    }

    private void set(int parameter, int value) throws CodecException {
        Zstd.checked(Libzstd.ZSTD_CCtx_setParameter(context, parameter, value));
    }

    @Override
    public void close() {
        arena.close();
    }
}
