package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.json.JsonWriter;
import java.util.Map;
import java.util.Optional;

/** The metadata of a group. Immutable. */
public final class GroupMetadata implements NodeMetadata {
    private final Attributes attributes;
    private final int zarrFormat;

    GroupMetadata(Attributes attributes, int zarrFormat) {
        this.attributes = attributes;
        this.zarrFormat = zarrFormat;
    }

    /**
     * Creates a group of version 3, the only version that the engine writes.
     *
     * @param attributes the user's attributes: JSON values, or numbers and arrays that can be
     *     converted to them
     * @throws IllegalArgumentException if one is not a JSON value; the message names it
     */
    public GroupMetadata(Map<String, Object> attributes) {
        this(Attributes.of(attributes), 3);
    }

    @Override
    public Map<String, Object> attributes() {
        return attributes.get();
    }

    @Override
    public Optional<String> attributesProblem() {
        return attributes.invalidity();
    }

    @Override
    public int zarrFormat() {
        return zarrFormat;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GroupMetadata group
                && zarrFormat == group.zarrFormat
                && attributes.equals(group.attributes);
    }

    @Override
    public int hashCode() {
        return 31 * attributes.hashCode() + zarrFormat;
    }

    @Override
    public String toString() {
        return "group of Zarr v"
                + zarrFormat
                + attributesProblem()
                        .map(problem -> ", attributes not valid: " + problem)
                        .orElseGet(() -> ", attributes " + JsonWriter.toLine(attributes.get()));
    }
}
