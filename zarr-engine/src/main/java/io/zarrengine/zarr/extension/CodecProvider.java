package io.zarrengine.zarr.extension;

import java.util.Map;
import java.util.Optional;

/** Adds bytes-to-bytes codecs that the engine does not support. */
public interface CodecProvider {
    /**
     * {@return the decoder of a codec; empty if the provider does not know the codec}
     *
     * @param name its name in {@code zarr.json}; for a Zarr v2 codec, {@code numcodecs.} and its id
     * @param configuration its configuration, as JSON values
     * @throws IllegalArgumentException if the configuration is invalid; the message follows the
     *     codec's name
     */
    Optional<BytesDecoder> decoder(String name, Map<String, Object> configuration);
}
