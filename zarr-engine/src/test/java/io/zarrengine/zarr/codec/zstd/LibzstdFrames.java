package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Frames of libzstd with chosen parameters: {@code ZSTD_cParameter} of zstd.h. */
final class LibzstdFrames {
    static final int COMPRESSION_LEVEL = 100;
    static final int WINDOW_LOG = 101;
    static final int MIN_MATCH = 105;
    static final int STRATEGY = 107;

    /** Average length in bytes of blocks of unequal lengths. */
    static final int TARGET_BLOCK_BYTES = 1003;

    private LibzstdFrames() {}

    static MemorySegment encode(Arena arena, Map<Integer, Integer> parameters, byte... sample)
            throws CodecException {
        MemorySegment context = Libzstd.ZSTD_createCCtx();
        try {
            for (var parameter : parameters.entrySet()) {
                Zstd.checked(
                        Libzstd.ZSTD_CCtx_setParameter(
                                context, parameter.getKey(), parameter.getValue()));
            }
            MemorySegment decoded = Samples.nativeCopy(arena, sample);
            MemorySegment encoded = arena.allocate(2L * sample.length + 1000);
            long bytes =
                    Zstd.checked(
                            Libzstd.ZSTD_compress2(
                                    context,
                                    encoded,
                                    encoded.byteSize(),
                                    decoded,
                                    decoded.byteSize()));
            return encoded.asSlice(0, bytes);
        } finally {
            Libzstd.ZSTD_freeCCtx(context);
        }
    }
}
