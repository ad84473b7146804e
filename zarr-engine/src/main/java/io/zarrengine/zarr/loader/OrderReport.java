package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.ZarrArray;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Measures of a loader's order: how many reads it costs, and how well it mixes. They describe the
 * rank's steps of the first epoch, and the loader's first array. A mean of nothing is 0: of a rank
 * that gets no sample, or of samples without elements.
 *
 * @param chunks number of chunks that are touched
 * @param readsPerChunk how often a chunk is read, on average, if each step reads its chunks once
 * @param chunksPerSample how many other chunks a batch mixes, for each sample: the number of
 *     distinct first chunks in a batch, divided by that of its samples. 1: no two samples of a
 *     batch are of one chunk
 * @param displacement how far samples move: the mean distance between the place of a sample and its
 *     number, divided by that of an order at random, a third of the epoch. 0: in order; 1: at
 *     random
 */
public record OrderReport(
        long chunks, double readsPerChunk, double chunksPerSample, double displacement) {
    /** Goes through the steps. */
    static OrderReport of(LoaderSteps steps) {
        ZarrArray array = steps.variables().getFirst().array();
        Sampler sampler = steps.variables().getFirst().sampler();
        Set<List<Long>> all = new HashSet<>();
        long reads = 0;
        long firstChunks = 0;
        long samples = 0;
        double moved = 0;
        Optional<StepPlan.Step> step = steps.plan().stepAt(LoaderState.START);
        while (step.isPresent() && step.get().epoch() == 0) {
            Set<List<Long>> touched = new HashSet<>();
            Set<List<Long>> first = new HashSet<>();
            long[] numbers = steps.numbers(step.get());
            for (int i = 0; i < numbers.length; i++) {
                List<List<Long>> chunks =
                        array.chunksOf(sampler.get(numbers[i])).stream()
                                .map(OrderReport::boxed)
                                .toList();
                touched.addAll(chunks);
                chunks.stream().limit(1).forEach(first::add);
                moved += Math.abs(numbers[i] - (double) steps.plan().position(step.get(), i));
            }
            all.addAll(touched);
            reads += touched.size();
            firstChunks += first.size();
            samples += numbers.length;
            step = steps.plan().stepAt(step.get().next());
        }
        double random = steps.plan().epochSize() / 3.0;
        return new OrderReport(
                all.size(),
                mean((double) reads, all.size()),
                mean((double) firstChunks, samples),
                mean(moved, samples) / random);
    }

    private static double mean(double sum, long count) {
        return count == 0 ? 0 : sum / count;
    }

    private static List<Long> boxed(long[] coordinates) {
        return Arrays.stream(coordinates).boxed().toList();
    }
}
