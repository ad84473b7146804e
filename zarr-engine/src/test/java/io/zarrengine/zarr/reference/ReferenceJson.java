package io.zarrengine.zarr.reference;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writer of JSON without spaces. */
final class ReferenceJson {
    private ReferenceJson() {}

    static String text(Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> quoted(text);
            case Double number when number.isNaN() -> "NaN";
            case List<?> list ->
                    list.stream()
                            .map(ReferenceJson::text)
                            .collect(Collectors.joining(",", "[", "]"));
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(entry ->
                                    quoted((String) entry.getKey()) + ":" + text(entry.getValue()))
                            .collect(Collectors.joining(",", "{", "}"));
            default -> value.toString();
        };
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c);
        }
        return quoted.append('"').toString();
    }
}
