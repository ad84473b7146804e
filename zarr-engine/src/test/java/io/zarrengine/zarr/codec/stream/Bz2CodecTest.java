package io.zarrengine.zarr.codec.stream;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.BytesCodecContract;
import io.zarrengine.zarr.pipeline.NumcodecsChunksTest;

/** The bz2 codec. {@link NumcodecsChunksTest} covers chunks that Python wrote. */
final class Bz2CodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new Bz2Codec(1);
    }

    @Override
    public int oneOf() {
        return 10;
    }
}
