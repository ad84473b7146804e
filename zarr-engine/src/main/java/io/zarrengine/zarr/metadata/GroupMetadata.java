package io.zarrengine.zarr.metadata;

import java.util.Map;

/**
 * A group.
 *
 * @param attributes the user's attributes
 */
public record GroupMetadata(Map<String, Object> attributes) implements NodeMetadata {}
