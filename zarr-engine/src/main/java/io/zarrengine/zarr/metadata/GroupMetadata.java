package io.zarrengine.zarr.metadata;

import java.util.Map;

/**
 * A group.
 *
 * @param attributes the user's attributes: JSON values, or numbers and arrays that become such
 * @param zarrFormat the version of the document that it came from: 2 or 3
 */
public record GroupMetadata(Map<String, Object> attributes, int zarrFormat)
        implements NodeMetadata {
    /**
     * Takes the attributes over, with numbers as JSON has them.
     *
     * @throws IllegalArgumentException if one is no JSON value; the message names it
     */
    public GroupMetadata {
        attributes = JsonValues.inMap("attribute", attributes);
    }

    /**
     * A group of version 3, which all are that are created.
     *
     * @param attributes the user's attributes
     */
    public GroupMetadata(Map<String, Object> attributes) {
        this(attributes, 3);
    }
}
