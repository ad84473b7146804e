package io.zarrengine.zarr.codec.deflate;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.BytesCodecContract;

/** The zlib codec. {@link ZlibDecompressorTest} covers damage. */
final class ZlibCodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new ZlibCodec(6);
    }
}
