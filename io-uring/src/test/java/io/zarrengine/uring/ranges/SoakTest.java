package io.zarrengine.uring.ranges;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs a few rounds of the soak test, so that it keeps working; {@code bin/soak} runs it for long.
 */
final class SoakTest {
    @Test
    @Timeout(60)
    void aFewRounds() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/maps")), "counts what Linux shows in /proc");
        long seed = Long.getLong("io.zarrengine.seed", System.nanoTime());
        String outcomes = Soak.run(Duration.ZERO, seed);
        assertTrue(outcomes.contains("read="), outcomes);
    }
}
