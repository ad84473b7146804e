package io.zarrengine.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Catches cells in the wrong column, targets judged wrongly, and numbers with too few digits. */
final class MarkdownTableTest {
    private static final ScenarioResult RESULT =
            new ScenarioResult(
                    ScenarioResultTest.scenario(
                            Work.HOT,
                            Goal.of(1, Contender.C),
                            Goal.of(0.9, Contender.C_DECODE, Contender.C_WRITE)),
                    List.of(
                            ScenarioResultTest.series(Contender.ENGINE, 4, 4.4, 3.6),
                            ScenarioResultTest.series(Contender.ENGINE_ALLOCATING, 3, 3, 3),
                            ScenarioResultTest.series(Contender.TENSORSTORE, 2, 2, 2),
                            ScenarioResultTest.series(Contender.C, 5, 5, 5)),
                    Optional.of(new EngineCounters(10, 3_000, 2_000, 4_000_000, 8)));

    @Test
    void aTargetThatIsReachedIsBold() {
        assertEquals(
                "| some row | TensorStore | **2.00** | 1.50 | 2.50 | 2.00 | plain C | 0.80 | 1.00 |",
                MarkdownTable.ratios(List.of(RESULT)).get(2));
    }

    @Test
    void eachGoalHasARow() {
        assertEquals(
                "|  |  |  |  |  |  | codec alone or destination written | – | 0.90 |",
                MarkdownTable.ratios(List.of(RESULT)).get(3));
    }

    @Test
    void whoTookPartInARowHasAColumn() {
        ScenarioResult other =
                new ScenarioResult(
                        ScenarioResultTest.scenario(Work.HOT),
                        List.of(ScenarioResultTest.series(Contender.ZARRS, 7, 7, 7)),
                        Optional.empty());
        List<String> table = MarkdownTable.values(List.of(RESULT, other));
        assertEquals(
                "| some row | GB/s | 4.00 ± 10 % | 3.00 ± 0 % | 2.00 ± 0 % | – | 5.00 ± 0 % |",
                table.get(2));
        assertEquals("| some row | GB/s | – | – | – | 7.00 ± 0 % | – |", table.get(3));
        assertEquals(columns(table.get(0)), columns(table.get(2)));
        assertEquals(columns(table.get(1)), columns(table.get(2)));
    }

    /** Chunks per second: 8 for each 4 MB, at 4 GB/s. */
    @Test
    void theWorkOfTheEngine() {
        assertEquals(
                "| some row | 4.00 | 0.001 | 1.50 | 8,000 | 8.00 | 2.00 | 0.80 |",
                MarkdownTable.work(List.of(RESULT)).get(2));
    }

    @Test
    void memory() {
        long mebibyte = 1 << 20;
        MemoryRow row =
                new MemoryRow(
                        1_000_000, 0, 64_000_000, 41 * mebibyte / 2, 128 * mebibyte, 2000, 20);
        assertEquals(
                "| 1,000,000 | all in one read | 61.0 | 20.5 | 32.0 | 128.0 | 2,000 | 20 |",
                MarkdownTable.memory(List.of(row)).get(2));
    }

    /** Python takes 40 µs and Java 32: 1.25 times as long, 8 µs more. */
    @Test
    void singleCropsFromPython() {
        ScenarioResult single =
                new ScenarioResult(
                        ScenarioResultTest.scenario(Work.LATENCY),
                        List.of(
                                ScenarioResultTest.series(Contender.ENGINE_ALLOCATING, 32, 32),
                                ScenarioResultTest.series(Contender.PYTHON_INDEX, 40, 40),
                                ScenarioResultTest.series(Contender.TENSORSTORE, 64, 64)),
                        Optional.empty());
        assertEquals(
                "| some row, Python, a[...] | 32.0 | 40.0 | 1.25 | 8.00 | 64.0 |",
                MarkdownTable.fromPython(List.of(single)).get(4));
    }

    @Test
    void manyCropsFromPython() {
        ScenarioResult many =
                new ScenarioResult(
                        ScenarioResultTest.scenario(Work.HOT),
                        List.of(
                                ScenarioResultTest.series(Contender.ENGINE, 4, 4),
                                ScenarioResultTest.series(Contender.ENGINE_AS_IN_PYTHON, 5, 5),
                                ScenarioResultTest.series(Contender.PYTHON, 3, 3),
                                ScenarioResultTest.series(Contender.TENSORSTORE, 1, 1),
                                ScenarioResultTest.series(Contender.PYTHON_LOADER, 3.9, 3.9),
                                ScenarioResultTest.series(Contender.PYTHON_TRANSFORM, 1.95, 1.95),
                                ScenarioResultTest.series(Contender.TENSORSTORE_TRANSFORM, 1, 1)),
                        Optional.empty());
        List<String> table = MarkdownTable.fromPython(List.of(many));
        assertEquals(
                "| some row | 3.00 | 0.75 | 0.60 | – | **3.00** | – | **0.98** | 0.50 | 1.95 |",
                table.get(table.size() - 2));
    }

    private static int columns(String row) {
        return row.split("\\|", -1).length;
    }
}
