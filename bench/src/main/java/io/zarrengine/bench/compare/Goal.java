package io.zarrengine.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * How close the engine shall come to a limit.
 *
 * @param limits the slowest of them counts
 * @param share of its speed
 * @param allowance what is added to a limit that is a time
 */
record Goal(List<Contender> limits, double share, double allowance) {
    Goal {
        limits = List.copyOf(limits);
    }

    /** {@return its limits' names} */
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

    /** At most so much longer than a limit. */
    static Goal within(double allowance, Contender limit) {
        return new Goal(List.of(limit), 1, allowance);
    }
}
