package io.zarrengine.zarr.loader;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The steps of a loader and their samples. Immutable.
 *
 * @param variables the arrays; at least one
 * @param plan divides the epochs
 * @param order of the samples in an epoch
 * @param isEndless whether the samplers have no end, so that the samples are counted on from epoch
 *     to epoch
 */
record LoaderSteps(List<Variable> variables, StepPlan plan, SampleOrder order, boolean isEndless) {
    /** {@return the number of each sample of a step} */
    long[] numbers(StepPlan.Step step) {
        return IntStream.range(0, step.size())
                .mapToLong(i -> number(step.epoch(), plan.position(step, i)))
                .toArray();
    }

    private long number(long epoch, long position) {
        return order.at(epoch, position) + (isEndless ? epoch * plan.epochSize() : 0);
    }

    @Override
    public String toString() {
        return variables.size() == 1
                ? variables.getFirst().array().toString()
                : variables.stream().map(Variable::name).toList().toString();
    }
}
