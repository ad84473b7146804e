package io.zarrengine.zarr.metadata;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Numbers of Java as the types that numbers in a parsed document have. */
final class JsonNumbers {
    private JsonNumbers() {}

    /** A copy of the map, in its order. */
    static Map<String, Object> inMap(Map<String, Object> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((name, value) -> copy.put(name, inValue(value)));
        return Collections.unmodifiableMap(copy);
    }

    @SuppressWarnings("unchecked") // The names in objects are strings.
    private static Object inValue(Object value) {
        return switch (value) {
            case Integer number -> number.longValue();
            case Short number -> number.longValue();
            case Byte number -> number.longValue();
            case Float number -> new BigDecimal(number.toString());
            case Double number -> BigDecimal.valueOf(number);
            case Map<?, ?> map -> inMap((Map<String, Object>) map);
            case List<?> list -> inList(list);
            case null, default -> value;
        };
    }

    private static List<Object> inList(List<?> list) {
        List<Object> copy = new ArrayList<>();
        list.forEach(value -> copy.add(inValue(value)));
        return Collections.unmodifiableList(copy);
    }
}
