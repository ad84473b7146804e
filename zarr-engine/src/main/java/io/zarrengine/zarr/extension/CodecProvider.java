package io.zarrengine.zarr.extension;

import java.util.Map;
import java.util.Optional;

/** Adds bytes-to-bytes codecs that the engine does not know. */
public interface CodecProvider {
    /**
     * {@return what decodes a codec's chunks, if the provider knows the codec}
     *
     * @param name its name in {@code zarr.json}; of a Zarr v2 codec {@code numcodecs.} and its id
     * @param configuration its configuration, as JSON values
     * @throws IllegalArgumentException if the configuration is not valid; the message follows the
     *     codec's name
     */
    Optional<BytesDecoder> decoder(String name, Map<String, Object> configuration);
}
