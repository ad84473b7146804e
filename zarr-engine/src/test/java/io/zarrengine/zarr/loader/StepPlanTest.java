package io.zarrengine.zarr.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.FormatException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The ranks together take each position of an epoch. Fails if one is lost or doubled, or if a
 * loader of another batch size or number of ranks goes on elsewhere.
 */
final class StepPlanTest {
    private static List<StepPlan> ranks(long size, int epochs, int batch, int world, EpochEnd end) {
        List<StepPlan> plans = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            plans.add(new StepPlan(size, epochs, batch, rank, world, end));
        }
        return plans;
    }

    /** {@return the positions of a rank from a state on, of one epoch} */
    private static List<List<Long>> steps(StepPlan plan, LoaderState from) {
        List<List<Long>> steps = new ArrayList<>();
        Optional<StepPlan.Step> step = plan.stepAt(from);
        while (step.isPresent() && step.get().epoch() == from.epoch()) {
            StepPlan.Step one = step.get();
            steps.add(
                    LongStream.range(0, one.size())
                            .mapToObj(i -> plan.position(one, (int) i))
                            .toList());
            step = plan.stepAt(one.next());
        }
        return steps;
    }

    private static List<Long> flat(List<List<Long>> steps) {
        return steps.stream().flatMap(List::stream).toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void theRanksTakeEachSampleOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int world = 1 + random.nextInt(5);
        int batch = 1 + random.nextInt(6);
        long size = random.nextInt(100);
        long done = random.nextLong(size + 1);
        LoaderState from = new LoaderState(random.nextInt(2), done);
        for (EpochEnd end : EpochEnd.values()) {
            List<Long> all = new ArrayList<>();
            List<Integer> counts = new ArrayList<>();
            for (StepPlan plan : ranks(size, 2, batch, world, end)) {
                List<List<Long>> steps = steps(plan, from);
                counts.add(steps.size());
                all.addAll(flat(steps));
                if (end != EpochEnd.PARTIAL) {
                    assertTrue(steps.stream().allMatch(step -> step.size() == batch));
                }
            }
            long rest = size - done;
            long together = (long) batch * world;
            long full = rest / together * together;
            List<Long> expected = LongStream.range(done, done + full).boxed().toList();
            if (end == EpochEnd.DROP) {
                assertEquals(expected, all.stream().sorted().toList());
            } else {
                List<Long> own = all.stream().distinct().filter(at -> at >= done).sorted().toList();
                assertEquals(LongStream.range(done, size).boxed().toList(), own);
            }
            if (end == EpochEnd.PARTIAL) {
                assertEquals(rest, all.size());
            } else {
                assertEquals(1, new HashSet<>(counts).size(), "all ranks have as many steps");
            }
            if (end == EpochEnd.PAD) {
                assertEquals(Math.ceilDiv(rest, together) * together, all.size());
            }
        }
    }

    /** After some steps, other ranks with another batch size take just the other samples. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void othersGoOnWhereTheFirstStopped(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long size = 1 + random.nextInt(200);
        int world = 1 + random.nextInt(4);
        int batch = 1 + random.nextInt(5);
        long stepsDone = random.nextLong(size / ((long) world * batch) + 1);
        List<Long> taken = new ArrayList<>();
        LoaderState state = LoaderState.START;
        for (StepPlan plan : ranks(size, 1, batch, world, EpochEnd.PARTIAL)) {
            state = LoaderState.START;
            for (int i = 0; i < stepsDone; i++) {
                StepPlan.Step step = plan.stepAt(state).orElseThrow();
                for (int s = 0; s < step.size(); s++) {
                    taken.add(plan.position(step, s));
                }
                state = step.next();
            }
        }
        if (state.epoch() == 0) {
            int others = 1 + random.nextInt(4);
            for (StepPlan plan : ranks(size, 1, 1 + random.nextInt(5), others, EpochEnd.PARTIAL)) {
                taken.addAll(flat(steps(plan, state)));
            }
        }
        assertEquals(LongStream.range(0, size).boxed().toList(), taken.stream().sorted().toList());
    }

    @Test
    void aRankWithoutASampleGoesOnInTheNextEpoch() {
        StepPlan last = new StepPlan(5, 2, 2, 1, 2, EpochEnd.PARTIAL);
        StepPlan.Step first = last.stepAt(LoaderState.START).orElseThrow();
        StepPlan.Step second = last.stepAt(first.next()).orElseThrow();
        assertEquals(new StepPlan.Step(1, 2, 2, 0, new LoaderState(1, 4)), second);
        assertEquals(Optional.empty(), last.stepAt(second.next()));
    }

    @Test
    void countsThePadding() {
        StepPlan plan = new StepPlan(5, 1, 4, 1, 2, EpochEnd.PAD);
        StepPlan.Step step = plan.stepAt(LoaderState.START).orElseThrow();
        assertEquals(3, step.padding());
        assertEquals(List.of(List.of(4L, 0L, 1L, 2L)), steps(plan, LoaderState.START));
    }

    @Test
    void readsTheStateThatItWrote() {
        LoaderState state = new LoaderState(3, Long.MAX_VALUE);
        assertEquals(state, LoaderState.parse(state.toJson()));
        for (String bad : List.of("", "[]", "{}", "{\"epoch\":1,\"sample\":-1}", "{\"epoch\":1}")) {
            assertThrows(FormatException.class, () -> LoaderState.parse(bad));
        }
        assertThrows(
                FormatException.class,
                () -> LoaderState.parse("{\"epoch\":1,\"sample\":1,\"step\":1}"));
        assertThrows(IllegalArgumentException.class, () -> new LoaderState(-1, 0));
    }
}
