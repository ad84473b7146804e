package io.zarrengine.zarr.device;

import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.codec.DeviceCodecs;

/**
 * What of a chunk a device undoes.
 *
 * @param codecs what is left to undo; null if its bytes are elements
 * @param format what nvCOMP is to decode, or null
 * @param blosc the streams of a blosc chunk, or null
 */
record Encoding(DeviceCodecs codecs, NvcompFormat format, BloscStreams blosc) {
    /** Of elements. */
    static final Encoding NONE = new Encoding(null, null, null);
}
