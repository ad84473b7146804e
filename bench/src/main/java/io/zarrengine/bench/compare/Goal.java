package io.zarrengine.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A goal for the engine, relative to a limit.
 *
 * @param limits the slowest of them counts
 * @param share the share of its speed to reach
 * @param allowance added to a limit that is a time
 */
record Goal(List<Contender> limits, double share, double allowance) {
    Goal {
        limits = List.copyOf(limits);
    }

    /** {@return the names of its limits} */
    String title() {
        StringJoiner title = new StringJoiner(" or ");
        limits.forEach(limit -> title.add(limit.title()));
        return allowance == 0
                ? title.toString()
                : title + String.format(Locale.ROOT, " + %.0f us", allowance);
    }

    static Goal of(double share, Contender... limits) {
        return new Goal(List.of(limits), share, 0);
    }

    /** Returns the goal to take at most this much longer than a limit. */
    static Goal within(double allowance, Contender limit) {
        return new Goal(List.of(limit), 1, allowance);
    }
}
