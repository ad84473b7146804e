package io.zarrengine.cli;

import io.zarrengine.zarr.metadata.MetadataWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The JSON of the command: requests, answers and printed values. */
final class CommandJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private CommandJson() {}

    /**
     * {@return the members of an object of strings}
     *
     * @param line the object
     * @param names allowed names of members
     * @throws IllegalArgumentException if the line is not an object of strings, or a member has
     *     another name or is repeated
     */
    static Map<String, String> parse(String line, Set<String> names) {
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("the request is no JSON object: " + line);
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                if (!names.contains(name)) {
                    throw new IllegalArgumentException("unknown member \"" + name + "\": " + line);
                }
                if (parser.nextToken() != JsonToken.VALUE_STRING) {
                    throw new IllegalArgumentException("\"" + name + "\" is no string: " + line);
                }
                if (members.put(name, parser.getString()) != null) {
                    throw new IllegalArgumentException("\"" + name + "\" comes twice: " + line);
                }
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more follows behind the object: " + line);
            }
            return members;
        } catch (JacksonException e) {
            throw new IllegalArgumentException("the request is no JSON object: " + line, e);
        }
    }

    /**
     * {@return the answer to a request: an error with the given problem, or success if it is null}
     *
     * @param numbers further members
     */
    static String answer(String problem, Map<String, Object> numbers) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("ok", problem == null);
        if (problem != null) {
            answer.put("error", problem);
        }
        answer.putAll(numbers);
        return line(answer);
    }

    /** {@return a JSON value in one line} */
    static String line(Object value) {
        return new String(MetadataWriter.toJson(value, false), StandardCharsets.UTF_8);
    }

    /** {@return a JSON value on several lines} */
    static String lines(Object value) {
        return new String(MetadataWriter.toJson(value, true), StandardCharsets.UTF_8);
    }
}
