package io.zarrengine.bench.compare;

import io.zarrengine.bench.Arguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Options of a comparison.
 *
 * @param folder for arrays and lists of crops
 * @param report folder for results
 * @param programs the workers
 * @param quick whether to use fewer crops and rounds
 * @param remote whether a web server is read
 * @param rounds measurements of each contender
 * @param words prefixes of the names of the wanted rows; none for all
 */
record CompareOptions(
        Path folder,
        Path report,
        WorkerCommands programs,
        boolean quick,
        boolean remote,
        int rounds,
        List<String> words) {
    private static final Set<String> NAMES =
            Set.of(
                    "folder", "report", "sources", "python", "limit", "zarrs", "before", "wheel",
                    "quick", "remote", "rounds");

    private static final int ROUNDS = 9;
    private static final int ROUNDS_QUICK = 5;

    CompareOptions {
        words = List.copyOf(words);
    }

    static CompareOptions parse(List<String> list) {
        Arguments arguments = Arguments.parse(list, NAMES);
        boolean quick = arguments.has("quick");
        String rounds = arguments.get("rounds", Integer.toString(quick ? ROUNDS_QUICK : ROUNDS));
        WorkerCommands programs =
                new WorkerCommands(
                        arguments.path("sources"),
                        arguments.path("python"),
                        arguments.path("limit"),
                        arguments.path("zarrs"),
                        arguments.get("before", ""),
                        arguments.get("wheel", ""));
        return new CompareOptions(
                arguments.path("folder"),
                arguments.path("report"),
                programs,
                quick,
                arguments.has("remote"),
                Integer.parseInt(rounds),
                arguments.words());
    }

    /** {@return the least duration of a contender's measurement in a round} */
    double seconds() {
        return quick ? 0.3 : 1;
    }

    /**
     * {@return the wanted rows}
     *
     * @throws IllegalArgumentException if there are none
     */
    List<Scenario> wanted(List<Scenario> rows) {
        List<Scenario> wanted =
                rows.stream()
                        .filter(row ->
                                words.isEmpty() || words.stream().anyMatch(row.name()::startsWith))
                        .toList();
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException("no row begins with one of " + words);
        }
        return wanted;
    }
}
