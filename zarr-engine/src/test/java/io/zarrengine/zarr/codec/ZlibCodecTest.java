package io.zarrengine.zarr.codec;

/** The zlib codec; damage is in {@link ZlibDecompressorTest}. */
final class ZlibCodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new ZlibCodec(6);
    }
}
