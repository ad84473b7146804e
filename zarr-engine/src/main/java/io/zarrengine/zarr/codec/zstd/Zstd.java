package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;

/** The name of the format, and checks of libzstd's results. */
final class Zstd {
    static final String NAME = "zstd";

    private static final long ERROR_NAME_BYTES_MAX = 256;

    /** -ZSTD_error_dstSize_tooSmall of zstd_errors.h, where the numbers are "pinned down". */
    private static final long TARGET_TOO_SMALL = -70;

    private Zstd() {}

    /**
     * {@return a result of libzstd, unless it is an error code}
     *
     * @param target of the call
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
