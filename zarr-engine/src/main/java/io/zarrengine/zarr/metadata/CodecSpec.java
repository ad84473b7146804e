package io.zarrengine.zarr.metadata;

import java.util.Map;

/**
 * A codec, or another extension point, as metadata names it: a name and a configuration.
 *
 * @param name e.g. {@code "zstd"}
 * @param configuration its JSON object: strings, {@code Long}, {@code BigInteger}, {@code
 *     BigDecimal}, booleans, null, lists and maps
 */
public record CodecSpec(String name, Map<String, Object> configuration) {}
