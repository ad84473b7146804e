package io.zarrengine.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Parses JSON to maps, lists, strings, {@code Long}, {@code Double}, booleans and null. */
final class JsonText {
    private JsonText() {}

    /** Returns the value of a text, which must hold nothing else. */
    static Object parse(String text) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            Object value = value(parser, parser.nextToken());
            if (parser.nextToken() != null) {
                throw new AssertionError("more than one value: " + text);
            }
            return value;
        }
    }

    /** Returns the members of an object. */
    static Map<?, ?> object(String text) {
        return (Map<?, ?>) parse(text);
    }

    private static Object value(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> members(parser);
            case START_ARRAY -> elements(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new AssertionError(token);
        };
    }

    private static Map<String, Object> members(JsonParser parser) {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            members.put(name, value(parser, parser.nextToken()));
        }
        return members;
    }

    private static List<Object> elements(JsonParser parser) {
        List<Object> elements = new ArrayList<>();
        for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
            elements.add(value(parser, t));
        }
        return elements;
    }
}
