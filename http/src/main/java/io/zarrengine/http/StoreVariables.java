package io.zarrengine.http;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Environment variables that set options of stores, as vendors and other readers name them.
 * Threads: any.
 */
public final class StoreVariables {
    /** Values that GDAL and object_store read as yes. */
    private static final Set<String> ON = Set.of("true", "yes", "on", "1", "y", "t");

    private final Map<String, String> variables;

    /**
     * Takes the variables.
     *
     * @param variables by name, for example {@link System#getenv()}
     */
    public StoreVariables(Map<String, String> variables) {
        this.variables = variables;
    }

    /**
     * {@return the value of the first of some variables that is set, without spaces around it;
     * empty if none is}
     *
     * @param names of the variables
     */
    public Optional<String> first(String... names) {
        return Stream.of(names)
                .map(name -> variables.getOrDefault(name, "").strip())
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    /**
     * {@return whether one of some variables is on}
     *
     * @param names of the variables
     */
    public boolean isOn(String... names) {
        return Stream.of(names)
                .anyMatch(name ->
                        first(name)
                                .filter(value -> ON.contains(value.toLowerCase(Locale.ROOT)))
                                .isPresent());
    }

    /**
     * {@return whether classes of a vendor's library are on the path}
     *
     * @param asking a class that would use them
     * @param names of the classes
     */
    public static boolean hasClasses(Class<?> asking, String... names) {
        try {
            for (String name : names) {
                Class.forName(name, false, asking.getClassLoader());
            }
            return true;
        } catch (ClassNotFoundException _) {
            return false;
        }
    }
}
