package io.zarrengine.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.bench.arrays.BenchArray;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Catches inverted ratios, ratios to the wrong peer, and ratios of medians instead of pairs. */
final class ScenarioResultTest {
    private static final double EXACT = 1e-12;

    static Scenario scenario(Work work, Goal... goals) {
        return new Scenario(
                "some row",
                BenchArray.SAT_ZSTD,
                work,
                new CropList(List.of("0:1")),
                2,
                List.of(goals));
    }

    static Series series(Contender contender, double... values) {
        List<RoundResult> samples =
                DoubleStream.of(values)
                        .mapToObj(value -> new RoundResult(value, 2 * value))
                        .toList();
        return new Series(contender, "in_flight=1", samples);
    }

    private static ScenarioResult result(Scenario scenario, Series... series) {
        return new ScenarioResult(scenario, List.of(series), Optional.empty());
    }

    @Test
    void aRatioIsTheMedianOfTheRoundsRatios() {
        ScenarioResult result =
                result(
                        scenario(Work.HOT),
                        series(Contender.ENGINE, 1, 8, 30),
                        series(Contender.TENSORSTORE, 1, 2, 10));
        assertEquals(3, result.ratio(Contender.TENSORSTORE).orElseThrow(), EXACT);
    }

    @Test
    void ofTimesTheShorterIsBetter() {
        ScenarioResult result =
                result(
                        scenario(Work.LATENCY),
                        series(Contender.ENGINE, 50),
                        series(Contender.TENSORSTORE, 200),
                        series(Contender.ZARRS, 100));
        assertEquals(Contender.ZARRS, result.bestPeer().orElseThrow().contender());
        assertEquals(2, result.ratioToBestPeer().orElseThrow(), EXACT);
    }

    @Test
    void limitsAreNoPeers() {
        ScenarioResult result =
                result(
                        scenario(Work.HOT),
                        series(Contender.ENGINE, 6),
                        series(Contender.ZARRS, 2),
                        series(Contender.TENSORSTORE, 3),
                        series(Contender.C, 12));
        assertEquals(2, result.ratioToBestPeer().orElseThrow(), EXACT);
        assertEquals(0.5, result.ratio(Contender.C).orElseThrow(), EXACT);
        assertEquals(4, result.timesBestPeer(Contender.C).orElseThrow(), EXACT);
    }

    @Test
    void theSlowestLimitOfAGoalCounts() {
        Goal goal = Goal.of(0.9, Contender.C_DECODE, Contender.C_WRITE);
        ScenarioResult result =
                result(
                        scenario(Work.HOT, goal),
                        series(Contender.ENGINE, 4),
                        series(Contender.C_DECODE, 5),
                        series(Contender.C_WRITE, 20));
        assertEquals(0.8, result.share(goal).orElseThrow(), EXACT);
    }

    @Test
    void anAllowanceIsAddedToATime() {
        Goal goal = Goal.within(50, Contender.C);
        ScenarioResult result =
                result(
                        scenario(Work.LATENCY, goal),
                        series(Contender.ENGINE, 125),
                        series(Contender.C, 50));
        assertEquals(0.8, result.share(goal).orElseThrow(), EXACT);
    }

    @Test
    void whoWasNotMeasuredHasNoRatio() {
        ScenarioResult result = result(scenario(Work.HOT), series(Contender.C, 1));
        assertEquals(Optional.empty(), result.ratio(Contender.C));
        assertEquals(Optional.empty(), result.ratioToBestPeer());
        assertEquals(Optional.empty(), result.share(Goal.of(1, Contender.C)));
    }

    @Test
    void medianAndSpread() {
        assertEquals(2.5, series(Contender.C, 4, 1, 2, 3).median(), EXACT);
        assertEquals(2, series(Contender.C, 4, 1, 2).median(), EXACT);
        assertEquals(1.5, series(Contender.C, 4, 1, 2).spread(), EXACT);
        assertEquals(4, series(Contender.C, 4, 1, 2).medianCpuSecondsPerGigabyte(), EXACT);
    }
}
