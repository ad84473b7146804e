package io.zarrengine.zarr.json;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Converts Java values to the types of a parsed document. */
public final class JsonValues {
    private static final int DEPTH_MAX = Json.NESTING_MAX; // The parser accepts no deeper document.

    private JsonValues() {}

    /**
     * {@return a copy of the map, in its order}
     *
     * @param what a noun for a member, for messages
     * @param map the map, whose values are converted to JSON values
     * @throws IllegalArgumentException if one is not a JSON value; the message names it
     */
    public static Map<String, Object> inMap(String what, Map<?, ?> map) {
        return inMap(what, map, 0);
    }

    private static Map<String, Object> inMap(String what, Map<?, ?> map, int depth) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((name, value) -> {
            try {
                copy.put(inName(name), inValue(value, depth));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        what + " " + JsonWriter.show(name) + ": " + e.getMessage(), e);
            }
        });
        return Collections.unmodifiableMap(copy);
    }

    private static String inName(Object name) {
        if (name instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("its name is no string");
    }

    /**
     * {@return the value in a type of a parsed document}
     *
     * @param value a JSON value, or a number or an array that can be converted to one
     * @throws IllegalArgumentException if it is not a JSON value
     */
    public static Object inValue(Object value) {
        return inValue(value, 0);
    }

    private static Object inValue(Object value, int depth) {
        return switch (value) {
            case null -> null;
            case String _, Boolean _, Long _, BigInteger _, BigDecimal _ -> value;
            case Integer number -> number.longValue();
            case Short number -> number.longValue();
            case Byte number -> number.longValue();
            case Float number -> inDecimal(number, number.toString());
            case Double number -> inDecimal(number, number.toString());
            case Map<?, ?> map -> inMap("member", map, deeper(depth));
            case List<?> list -> inList(list, deeper(depth));
            case Object array when array.getClass().isArray() -> inArray(array, deeper(depth));
            default ->
                    throw new IllegalArgumentException(
                            "a " + value.getClass().getName() + " is no JSON value");
        };
    }

    /** Increments the depth up to its limit, which also stops at a value that contains itself. */
    private static int deeper(int depth) {
        if (depth == DEPTH_MAX) {
            throw new IllegalArgumentException("has more than " + DEPTH_MAX + " levels");
        }
        return depth + 1;
    }

    /** Converts to {@code BigDecimal}, except NaN, infinities and negative zero, which it lacks. */
    private static Number inDecimal(double number, String text) {
        boolean isNegativeZero = number == 0 && text.startsWith("-");
        return Double.isFinite(number) && !isNegativeZero ? new BigDecimal(text) : (Number) number;
    }

    private static List<Object> inList(List<?> list, int depth) {
        List<Object> copy = new ArrayList<>();
        list.forEach(value -> copy.add(inValue(value, depth)));
        return Collections.unmodifiableList(copy);
    }

    private static List<Object> inArray(Object array, int depth) {
        List<Object> copy = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            copy.add(inValue(Array.get(array, i), depth));
        }
        return Collections.unmodifiableList(copy);
    }

    /**
     * {@return the reason why the engine does not write a value or one inside it, although Python
     * does and the engine reads it; empty if it does}
     *
     * @param value any value of a parsed document
     */
    public static Optional<String> unwritable(Object value) {
        return switch (value) {
            case Double number when !Double.isFinite(number) ->
                    Optional.of("JSON has no NaN and no infinities");
            case String text when !StandardCharsets.UTF_8.newEncoder().canEncode(text) ->
                    Optional.of("it has half a surrogate pair");
            case Map<?, ?> map ->
                    firstUnwritable(Stream.concat(map.keySet().stream(), map.values().stream()));
            case List<?> list -> firstUnwritable(list.stream());
            case null, default -> Optional.empty();
        };
    }

    private static Optional<String> firstUnwritable(Stream<?> values) {
        return values.map(JsonValues::unwritable).flatMap(Optional::stream).findFirst();
    }
}
