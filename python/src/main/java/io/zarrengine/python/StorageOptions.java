package io.zarrengine.python;

import io.zarrengine.zarr.json.JsonFields;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Python's {@code storage_options}: values by name. The names that were asked for are the known
 * ones. No message has a value, because it may be a secret. Threads: one at a time.
 */
final class StorageOptions {
    private static final String ALL = "storage_options";
    private static final double NANOS = 1e9; // in a second

    private final JsonFields fields;
    private final String prefix; // of names in messages
    private final SortedSet<String> known = new TreeSet<>();

    private StorageOptions(JsonFields fields, String prefix) {
        this.fields = fields;
        this.prefix = prefix;
    }

    static StorageOptions parse(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        return new StorageOptions(JsonFields.parse(ALL, text), "");
    }

    boolean isEmpty() {
        return fields.names().isEmpty();
    }

    private Optional<Object> value(String name) {
        known.add(name);
        return Optional.ofNullable(fields.any(name));
    }

    private <T> Optional<T> value(String name, Class<T> type, String words) {
        Optional<Object> value = value(name);
        if (value.isPresent() && !type.isInstance(value.get())) {
            throw error(name, "is not " + words);
        }
        return value.map(type::cast);
    }

    Optional<String> text(String name) {
        Optional<String> text = anyText(name);
        if (text.filter(String::isEmpty).isPresent()) {
            throw error(name, "is an empty str");
        }
        return text;
    }

    /** Returns a text that may be empty. */
    Optional<String> anyText(String name) {
        return value(name, String.class, "a str");
    }

    Optional<Boolean> flag(String name) {
        return value(name, Boolean.class, "True or False");
    }

    Optional<Double> seconds(String name) {
        Optional<Double> seconds = value(name, Number.class, "a number").map(Number::doubleValue);
        if (seconds.isPresent() && !(seconds.get() > 0)) {
            throw error(name, "is not positive");
        }
        return seconds;
    }

    /** Returns a positive time; the largest one if it is longer. */
    static Duration duration(double seconds) {
        return Duration.ofNanos((long) Math.max(1, seconds * NANOS)); // Rounds to long's largest.
    }

    Optional<Integer> count(String name) {
        Optional<Long> count = value(name, Long.class, "a whole number");
        if (count.isPresent() && (count.get() < 1 || count.get() > Integer.MAX_VALUE)) {
            throw error(name, "is not a whole number from 1");
        }
        return count.map(Math::toIntExact);
    }

    Optional<URI> url(String name) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI url = new URI(text.get());
            if (url.getHost() != null) {
                return Optional.of(url);
            }
        } catch (URISyntaxException _) {
            // It may have a password: no message has it.
        }
        throw error(name, "is not a URL with a host, scheme://host");
    }

    Map<String, String> texts(String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        dict(name)
                .forEach((key, value) -> {
                    if (!(value instanceof String text)) {
                        throw error(name, "has a value that is not a str: " + key);
                    }
                    texts.put((String) key, text);
                });
        return texts;
    }

    /** Returns the options in an option. */
    StorageOptions nested(String name) {
        return new StorageOptions(fields.nested(name, dict(name)), prefix + name + ".");
    }

    private Map<?, ?> dict(String name) {
        Object value = value(name).orElse(Map.of());
        if (value instanceof Map<?, ?> members) {
            return members;
        }
        throw error(name, "is not a dict");
    }

    /** Refuses several ways to do the same. */
    void requireOne(String... ways) {
        List<String> present = Arrays.stream(ways).filter(this::isGiven).toList();
        if (present.size() > 1) {
            throw new IllegalArgumentException(
                    ALL + " has " + String.join(" and ", present) + ": give one of them");
        }
    }

    private boolean isGiven(String name) {
        return fields.any(name) != null && !Boolean.FALSE.equals(fields.any(name));
    }

    /** Refuses one of two options that only mean something together. */
    void requireBoth(String one, String other) {
        if (isGiven(one) != isGiven(other)) {
            String found = isGiven(one) ? one : other;
            throw error(found, "needs " + prefix + (isGiven(one) ? other : one));
        }
    }

    /** Refuses names that nothing has asked for. */
    void refuseUnknown(String kindOfUrl) {
        for (String name : fields.names()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "%s has %s, which is unknown; known for %s: %s"
                                .formatted(
                                        ALL, prefix + name, kindOfUrl, String.join(", ", known)));
            }
        }
    }

    IllegalArgumentException error(String name, String problem) {
        return new IllegalArgumentException(ALL + ": " + prefix + name + " " + problem);
    }
}
