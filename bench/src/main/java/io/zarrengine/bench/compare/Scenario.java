package io.zarrengine.bench.compare;

import java.util.List;

/**
 * A row of the comparison.
 *
 * @param name of the row
 * @param array what is read
 * @param work what is measured
 * @param crops which boxes of it
 * @param timesBestPeer how many times as fast as the best peer the engine shall be
 * @param goals how close to limits
 */
record Scenario(
        String name,
        BenchArray array,
        Work work,
        CropList crops,
        double timesBestPeer,
        List<Goal> goals) {
    Scenario {
        goals = List.copyOf(goals);
    }

    /** {@return a name without spaces, for files and for readers of workers} */
    String key() {
        return name.replaceAll("[^a-z0-9]+", "-");
    }
}
