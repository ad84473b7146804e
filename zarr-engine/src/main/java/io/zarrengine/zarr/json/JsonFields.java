package io.zarrengine.zarr.json;

import io.zarrengine.zarr.errors.FormatException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A JSON object of a metadata document, read member by member. The exception for a missing member
 * or a wrong type names its place.
 */
public final class JsonFields {
    private final String document;
    private final String path; // path of this object in the document; empty for the top level
    private final Map<?, ?> members;

    /**
     * Creates the fields of an object.
     *
     * @param document the metadata document, for messages
     * @param path the object's path in the document; empty for the top level
     * @param members its members
     */
    public JsonFields(String document, String path, Map<?, ?> members) {
        this.document = document;
        this.path = path;
        this.members = members;
    }

    /**
     * {@return the object in a document}
     *
     * @param document its name, for messages
     * @param text UTF-8
     * @throws FormatException if it is not a JSON object
     */
    public static JsonFields parse(String document, byte[] text) {
        return switch (Json.parse(document, text)) {
            case Map<?, ?> members -> new JsonFields(document, "", members);
            case RepeatedMember repeated ->
                    throw new FormatException(document, "", repeated.problem());
            case null, default -> throw new FormatException(document, "", "is not a JSON object");
        };
    }

    /**
     * {@return the fields of a codec's configuration}
     *
     * @param document the metadata document, for messages
     * @param name the name of the codec
     * @param configuration its JSON object
     */
    public static JsonFields ofCodec(
            String document, String name, Map<String, Object> configuration) {
        return new JsonFields(document, "codec " + name, configuration);
    }

    /** {@return the document's name, for messages} */
    public String document() {
        return document;
    }

    /**
     * {@return whether there is a member of this name, also if it is null}
     *
     * @param name its name
     */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /** {@return the members' names} */
    public Collection<String> names() {
        return members.keySet().stream().map(String.class::cast).toList();
    }

    /**
     * {@return a member of any type; null if it is missing or null}
     *
     * @param name its name
     */
    public Object any(String name) {
        return members.get(name);
    }

    /**
     * {@return a string}
     *
     * @param name its name
     * @throws FormatException if it is missing or not a string
     */
    public String string(String name) {
        if (any(name) instanceof String text) {
            return text;
        }
        throw refused(name, "a string");
    }

    /**
     * {@return a string, or {@code otherwise} if it is missing or null}
     *
     * @param name its name
     * @param otherwise the default
     * @throws FormatException if it is present and not a string
     */
    public String string(String name, String otherwise) {
        return any(name) == null ? otherwise : string(name);
    }

    /**
     * {@return a boolean, or {@code otherwise} if it is missing or null}
     *
     * @param name its name
     * @param otherwise the default
     * @throws FormatException if it is present and not a boolean
     */
    public boolean bool(String name, boolean otherwise) {
        if (any(name) == null) {
            return otherwise;
        }
        if (any(name) instanceof Boolean value) {
            return value;
        }
        throw refused(name, "true or false");
    }

    /**
     * {@return a whole number within bounds}
     *
     * @param name its name
     * @param min the smallest allowed
     * @param max the largest allowed
     * @throws FormatException if it is missing, not a whole number, or out of bounds
     */
    public long integer(String name, long min, long max) {
        if (any(name) instanceof Long value && value >= min && value <= max) {
            return value;
        }
        throw refused(name, range(min, max));
    }

    /**
     * {@return a whole number within bounds, or {@code otherwise} if it is missing or null}
     *
     * @param name its name
     * @param min the smallest allowed
     * @param max the largest allowed
     * @param otherwise the default
     * @throws FormatException if it is present, and not a whole number or out of bounds
     */
    public long integer(String name, long min, long max, long otherwise) {
        return any(name) == null ? otherwise : integer(name, min, max);
    }

    /**
     * {@return whole numbers within bounds}
     *
     * @param name the array's name
     * @param min the smallest allowed
     * @param max the largest allowed
     * @throws FormatException if it is missing or not an array, or if an element is not a whole
     *     number within bounds
     */
    public long[] integers(String name, long min, long max) {
        List<?> elements = array(name);
        long[] values = new long[elements.size()];
        for (int i = 0; i < values.length; i++) {
            if (!(elements.get(i) instanceof Long value) || value < min || value > max) {
                throw error(
                        name + "[" + i + "]",
                        "is " + JsonWriter.show(elements.get(i)) + ", expected " + range(min, max));
            }
            values[i] = value;
        }
        return values;
    }

    /**
     * {@return a JSON array}
     *
     * @param name its name
     * @throws FormatException if it is missing or not an array
     */
    public List<?> array(String name) {
        if (any(name) instanceof List<?> elements) {
            return elements;
        }
        throw refused(name, "an array");
    }

    /**
     * {@return a JSON object}
     *
     * @param name its name
     * @throws FormatException if it is missing or not an object
     */
    public JsonFields object(String name) {
        if (any(name) instanceof Map<?, ?> object) {
            return nested(name, object);
        }
        throw refused(name, "an object");
    }

    /**
     * {@return a JSON array of objects}
     *
     * @param name its name
     * @throws FormatException if it is missing or not an array, or if an element is not an object
     */
    public List<JsonFields> objects(String name) {
        List<?> elements = array(name);
        List<JsonFields> objects = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            String place = name + "[" + i + "]";
            if (!(elements.get(i) instanceof Map<?, ?> object)) {
                throw error(
                        place, "is " + JsonWriter.show(elements.get(i)) + ", expected an object");
            }
            objects.add(nested(place, object));
        }
        return objects;
    }

    /**
     * {@return the fields of an object inside this one}
     *
     * @param name its path in this object
     * @param object its members
     */
    public JsonFields nested(String name, Map<?, ?> object) {
        return new JsonFields(document, join(name), object);
    }

    /**
     * {@return a JSON object with string names, as a map; empty if it is missing or null}
     *
     * @param name its name
     * @throws FormatException if it is present and not an object
     */
    public Map<String, Object> map(String name) {
        return any(name) == null ? Map.of() : object(name).toMap();
    }

    /**
     * {@return the members}
     *
     * @throws FormatException if an object in them has a repeated member
     */
    public Map<String, Object> toMap() {
        members.forEach((name, value) ->
                RepeatedMember.in(value)
                        .ifPresent(repeated -> {
                            throw error((String) name, repeated.problem());
                        }));
        @SuppressWarnings("unchecked") // Json creates no other maps.
        Map<String, Object> map = (Map<String, Object>) members;
        return map;
    }

    /**
     * {@return the extensions in a list, such as the codecs of an array}
     *
     * @param <T> the type of an extension
     * @param name the array's name
     * @param make creates an extension from a name and a configuration
     * @throws FormatException if an element is neither a string nor an object with a name
     */
    public <T> List<T> extensions(String name, BiFunction<String, Map<String, Object>, T> make) {
        List<?> elements = array(name);
        List<T> extensions = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            extensions.add(extension(name + "[" + i + "]", elements.get(i), make));
        }
        return extensions;
    }

    /**
     * {@return an extension; a string is a name without a configuration}
     *
     * @param <T> the type of the extension
     * @param name the name of the member
     * @param make creates the extension from a name and a configuration
     * @throws FormatException if it is missing, or neither a string nor an object with a name
     */
    public <T> T extension(String name, BiFunction<String, Map<String, Object>, T> make) {
        return extension(name, any(name), make);
    }

    private <T> T extension(
            String name, Object value, BiFunction<String, Map<String, Object>, T> make) {
        if (value instanceof String text) {
            return make.apply(text, Map.of());
        }
        if (!(value instanceof Map<?, ?> object)) {
            throw error(name, "is " + JsonWriter.show(value) + ", expected an object with a name");
        }
        JsonFields fields = nested(name, object);
        for (String member : fields.names()) {
            fields.refuseUnknown(member, List.of("name", "configuration", "must_understand"));
        }
        return make.apply(fields.string("name"), fields.map("configuration"));
    }

    /**
     * Refuses an unknown extension that must be understood.
     *
     * @param member its name
     * @param known the known names
     * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#extensions">
     *     "must_understand"</a>
     */
    public void refuseUnknown(String member, Collection<String> known) {
        if (known.contains(member)) {
            return;
        }
        boolean optional =
                any(member) instanceof Map<?, ?> extension
                        && Boolean.FALSE.equals(extension.get("must_understand"));
        if (!optional) {
            throw error(member, "is an extension that is not known and must be understood");
        }
    }

    /**
     * {@return the exception for a member}
     *
     * @param name the member's name
     * @param problem the value found and the value expected
     */
    public FormatException error(String name, String problem) {
        return new FormatException(document, join(name), problem);
    }

    /**
     * {@return the exception for this object as a whole}
     *
     * @param problem the value found and the value expected
     */
    public FormatException error(String problem) {
        return new FormatException(document, path, problem);
    }

    /**
     * {@return the exception for this object as a whole}
     *
     * @param cause the cause; its message names the value found and the value expected
     */
    public FormatException error(IllegalArgumentException cause) {
        return new FormatException(document, path, cause.getMessage(), cause);
    }

    private static String range(long min, long max) {
        if (min == max) {
            return Long.toString(min);
        }
        return max == Long.MAX_VALUE
                ? "a whole number, at least " + min
                : "a whole number from " + min + " to " + max;
    }

    private FormatException refused(String name, String expected) {
        return has(name)
                ? error(name, "is " + JsonWriter.show(any(name)) + ", expected " + expected)
                : error(name, "is missing, expected " + expected);
    }

    private String join(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /**
     * {@return the strings of a list, with null for JSON's null; empty if the list is missing}
     *
     * @param name the name of the list
     * @param count required number of elements
     * @throws FormatException if it is not a list of {@code count} strings or nulls
     */
    public Optional<List<String>> names(String name, int count) {
        if (any(name) == null) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        for (Object element : array(name)) {
            if (element != null && !(element instanceof String)) {
                throw error(
                        name, "holds " + JsonWriter.show(element) + ", expected strings or null");
            }
            names.add((String) element);
        }
        if (names.size() != count) {
            throw error(
                    name, "has " + names.size() + " entries, the array " + count + " dimensions");
        }
        return Optional.of(names);
    }
}
