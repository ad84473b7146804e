package io.zarrengine.bench.compare;

import java.util.List;

/**
 * How much of a limit the engine shall reach.
 *
 * @param limits the slowest of them counts
 * @param share of it
 */
record Goal(List<Contender> limits, double share) {
    static Goal of(double share, Contender... limits) {
        return new Goal(List.of(limits), share);
    }
}
