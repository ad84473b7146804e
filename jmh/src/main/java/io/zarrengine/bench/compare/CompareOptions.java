package io.zarrengine.bench.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a comparison is run.
 *
 * @param folder for arrays and lists of crops
 * @param report folder for results
 * @param programs the workers
 * @param quick with fewer crops and rounds
 * @param rounds how often each contender is measured
 * @param words that the names of the wanted rows begin with; none for all
 */
record CompareOptions(
        Path folder,
        Path report,
        Programs programs,
        boolean quick,
        int rounds,
        List<String> words) {
    private static final int ROUNDS = 9;
    private static final int ROUNDS_QUICK = 5;

    CompareOptions {
        words = List.copyOf(words);
    }

    static CompareOptions parse(List<String> arguments) {
        Map<String, String> named = new HashMap<>();
        List<String> words = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.startsWith("--")) {
                String[] parts = argument.substring(2).split("=", 2);
                named.put(parts[0], parts.length == 1 ? "" : parts[1]);
            } else {
                words.add(argument);
            }
        }
        boolean quick = named.containsKey("quick");
        String rounds =
                named.getOrDefault("rounds", Integer.toString(quick ? ROUNDS_QUICK : ROUNDS));
        Programs programs =
                new Programs(
                        path(named, "sources"),
                        path(named, "python"),
                        path(named, "limit"),
                        path(named, "zarrs"));
        return new CompareOptions(
                path(named, "folder"),
                path(named, "report"),
                programs,
                quick,
                Integer.parseInt(rounds),
                words);
    }

    private static Path path(Map<String, String> named, String name) {
        if (!named.containsKey(name)) {
            throw new IllegalArgumentException("--" + name + "= is missing");
        }
        return Path.of(named.get(name));
    }

    /** {@return how long a contender is measured in a round, at least} */
    double seconds() {
        return quick ? 0.3 : 1;
    }
}
