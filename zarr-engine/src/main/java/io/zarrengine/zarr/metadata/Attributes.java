package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonValues;
import java.util.Map;
import java.util.Optional;

/**
 * The user's attributes of a node, or why there are none to be had. What is wrong with them does
 * not keep the node from being opened.
 *
 * @param values in the order of the document, as values of a parsed document; null if they are not
 *     valid
 * @param problem why they are not valid; null if they are
 */
record Attributes(Map<String, Object> values, RuntimeException problem) {
    /** No attributes. */
    static final Attributes NONE = new Attributes(Map.of(), null);

    /**
     * Returns attributes that a program made.
     *
     * @param values JSON values, or numbers and arrays that become such
     * @throws IllegalArgumentException if one is no JSON value; the message names it
     */
    static Attributes of(Map<String, Object> values) {
        return new Attributes(JsonValues.inMap("attribute", values), null);
    }

    /**
     * Returns a member of a document; none if it is missing or null.
     *
     * @param fields the document's
     * @param name the member's
     */
    static Attributes of(JsonFields fields, String name) {
        if (fields.any(name) == null) {
            return NONE;
        }
        try {
            return new Attributes(fields.object(name).toMap(), null);
        } catch (FormatException e) {
            return new Attributes(null, e);
        }
    }

    /**
     * Returns what a {@code .zattrs} holds.
     *
     * @param document the file, which may be unreadable
     */
    static Attributes of(Document document) {
        if (document.problem() != null) {
            return new Attributes(null, document.problem());
        }
        try {
            return new Attributes(JsonFields.parse(document.name(), document.text()).toMap(), null);
        } catch (FormatException e) {
            return new Attributes(null, e);
        }
    }

    /**
     * Returns the values.
     *
     * @throws FormatException if they are not valid; {@code StoreException} if they cannot be read
     */
    Map<String, Object> get() {
        if (problem != null) {
            throw problem;
        }
        return values;
    }

    /** Why they are not valid, in words; empty if they are. */
    Optional<String> invalidity() {
        return Optional.ofNullable(problem).map(RuntimeException::getMessage);
    }
}
