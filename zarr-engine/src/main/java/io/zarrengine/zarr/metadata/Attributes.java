package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonValues;
import java.util.Map;
import java.util.Optional;

/**
 * The user's attributes of a node, or the reason why they cannot be read. A node with invalid
 * attributes can still be opened.
 *
 * @param values in the order of the document, as values of a parsed document; null if they are
 *     invalid
 * @param problem the reason why they are invalid; null if they are valid
 */
record Attributes(Map<String, Object> values, RuntimeException problem) {
    /** No attributes. */
    static final Attributes NONE = new Attributes(Map.of(), null);

    /**
     * Returns the attributes for values from a program.
     *
     * @param values JSON values, or numbers and arrays that can be converted to them
     * @throws IllegalArgumentException if one is not a JSON value; the message names it
     */
    static Attributes of(Map<String, Object> values) {
        return new Attributes(JsonValues.inMap("attribute", values), null);
    }

    /**
     * Returns the attributes in a member of a document; none if the member is missing or null.
     *
     * @param fields the members of the document
     * @param name the name of the member
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
     * Returns the attributes in a {@code .zattrs}.
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
     * @throws FormatException if they are invalid; {@code StoreException} if they cannot be read
     */
    Map<String, Object> get() {
        if (problem != null) {
            throw problem;
        }
        return values;
    }

    /** Returns the reason why the attributes are invalid; empty if they are valid. */
    Optional<String> invalidity() {
        return Optional.ofNullable(problem).map(RuntimeException::getMessage);
    }
}
