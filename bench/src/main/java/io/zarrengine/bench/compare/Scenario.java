package io.zarrengine.bench.compare;

import io.zarrengine.bench.arrays.BenchArray;
import java.util.List;

/**
 * A row of the comparison.
 *
 * @param name of the row
 * @param array the array to read
 * @param work the kind of measurement
 * @param crops the boxes to read
 * @param timesBestPeer target of the engine's speed, relative to the best peer
 * @param goals targets relative to limits
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

    /** {@return the name without spaces, for files and for readers of workers} */
    String key() {
        return name.replaceAll("[^a-z0-9]+", "-");
    }
}
