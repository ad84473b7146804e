package io.zarrengine.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Arguments of a comparison.
 *
 * @param named values of {@code --name=value}; empty for {@code --name}
 * @param words the other arguments
 */
public record Arguments(Map<String, String> named, List<String> words) {
    /**
     * {@return the parsed arguments}
     *
     * @param arguments the arguments of the program
     * @param names known names
     * @throws IllegalArgumentException if an argument has another name
     */
    public static Arguments parse(List<String> arguments, Set<String> names) {
        Map<String, String> named = new HashMap<>();
        List<String> words = new ArrayList<>();
        for (String argument : arguments) {
            if (!argument.startsWith("--")) {
                words.add(argument);
                continue;
            }
            String[] parts = argument.substring(2).split("=", 2);
            if (!names.contains(parts[0])) {
                throw new IllegalArgumentException("there is no option --" + parts[0]);
            }
            named.put(parts[0], parts.length == 1 ? "" : parts[1]);
        }
        return new Arguments(Map.copyOf(named), List.copyOf(words));
    }

    /** {@return whether an option was given} */
    public boolean has(String name) {
        return named.containsKey(name);
    }

    /** {@return the value of an option, or {@code otherwise} if it was not given} */
    public String get(String name, String otherwise) {
        return named.getOrDefault(name, otherwise);
    }

    /** {@return the value of a required option, as a path} */
    public Path path(String name) {
        if (get(name, "").isEmpty()) {
            throw new IllegalArgumentException("--" + name + "= is missing");
        }
        return Path.of(named.get(name));
    }
}
