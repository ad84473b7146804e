package io.zarrengine.zarr.extension;

import java.util.Map;
import java.util.Optional;

/** Adds bytes-to-bytes codecs that the engine does not support itself. */
public interface CodecProvider {
    /**
     * {@return the decoder of a codec's chunks, or empty if the provider does not support the
     * codec}
     *
     * @param name the codec's name in {@code zarr.json}; for a Zarr v2 codec, {@code numcodecs.}
     *     and its id
     * @param configuration the codec's configuration, as JSON values
     * @throws IllegalArgumentException if the configuration is not valid; the engine prefixes the
     *     message with the codec's name
     */
    Optional<BytesDecoder> decoder(String name, Map<String, Object> configuration);
}
