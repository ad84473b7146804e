package io.zarrengine.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bench.arrays.BenchArray;
import io.zarrengine.bench.arrays.ChunkEncoding;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catches rows that overwrite each other's files, or cannot be compared with their peers and
 * limits.
 */
final class ScenarioListTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsHaveFilesOfTheirOwn(boolean quick) {
        Set<String> keys = new HashSet<>();
        ScenarioList.all(quick)
                .forEach(scenario -> assertTrue(keys.add(scenario.key()), scenario.key()));
        ScenarioList.remote(quick)
                .forEach(scenario -> assertTrue(keys.add(scenario.key()), scenario.key()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyGoalIsMeasuredByAWorkerThatMeasuresTheLimit(boolean quick) {
        for (Scenario scenario : ScenarioList.all(quick)) {
            assertFalse(Contender.ENGINE.variants(scenario).isEmpty(), scenario.name());
            assertFalse(Contender.TENSORSTORE.variants(scenario).isEmpty(), scenario.name());
            for (Goal goal : scenario.goals()) {
                for (Contender limit : goal.limits()) {
                    assertEquals(Contender.Role.LIMIT, limit.role());
                    assertFalse(limit.variants(scenario).isEmpty(), scenario.name());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsEncodedByTensorStoreIsMadeFromAnArrayOfTheSameLayout(boolean quick) {
        for (Scenario scenario : ScenarioList.all(quick)) {
            BenchArray array = scenario.array();
            if (!array.encoding().isWrittenByTheEngine()) {
                assertEquals(ChunkEncoding.RAW, array.uncompressed().encoding());
                assertEquals(array.family(), array.uncompressed().family());
            }
        }
    }
}
