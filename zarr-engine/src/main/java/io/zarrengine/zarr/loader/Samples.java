package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.Selection;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples of one step.
 *
 * @param variables the arrays
 * @param numbers the number of each sample
 * @param selections for each array its samples
 */
record Samples(List<Variable> variables, long[] numbers, List<List<Selection>> selections) {
    /** {@return the samples of these numbers; throws as a sampler does} */
    static Samples of(List<Variable> variables, long[] numbers) {
        List<List<Selection>> all = new ArrayList<>();
        for (Variable variable : variables) {
            List<Selection> selections = new ArrayList<>(numbers.length);
            for (long number : numbers) {
                selections.add(variable.sample(number));
            }
            all.add(selections);
        }
        return new Samples(variables, numbers, all);
    }

    /**
     * Throws as an array does if it refuses one of its samples; the message names the sample.
     *
     * @param index of the array
     */
    void check(int index) {
        for (int i = 0; i < numbers.length; i++) {
            variables.get(index).check(numbers[i], selections.get(index).get(i));
        }
    }
}
