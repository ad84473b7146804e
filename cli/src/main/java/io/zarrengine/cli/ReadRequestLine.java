package io.zarrengine.cli;

import java.util.Map;
import java.util.Set;

/**
 * One line of a list of requests.
 *
 * @param path the array's folder
 * @param slice the selection; empty for everything
 * @param output the file to write
 */
record ReadRequestLine(String path, String slice, String output) {
    private static final Set<String> MEMBERS = Set.of("path", "slice", "output");

    /**
     * {@return the request of a line}
     *
     * @throws IllegalArgumentException if the line is not a JSON object of this form
     */
    static ReadRequestLine parse(String line) {
        Map<String, String> members = CommandJson.parse(line, MEMBERS);
        return new ReadRequestLine(
                required(members, "path"),
                members.getOrDefault("slice", ""),
                required(members, "output"));
    }

    private static String required(Map<String, String> members, String name) {
        String value = members.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the request has no \"" + name + "\"");
        }
        return value;
    }
}
