package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.Conversion;
import io.zarrengine.cuda.Conversion.Step;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.filter.NumberSteps;
import java.util.List;

/** Translates filters into conversions for our kernels. */
final class NumberConversions {
    private NumberConversions() {}

    static Conversion of(NumberSteps numbers) {
        List<Step> steps = numbers.steps().stream().map(NumberConversions::step).toList();
        return new Conversion(type(numbers.stored()), numbers.swapBytes(), steps);
    }

    private static Step step(NumberSteps.Step step) {
        return switch (step) {
            case NumberSteps.Step.ToType cast -> new Step.Cast(type(cast.to()));
            case NumberSteps.Step.Scale scale -> new Step.Scale(scale.divisor(), scale.addend());
        };
    }

    /** The kernels' types have the same names as ours. */
    private static Conversion.NumberType type(NumericType type) {
        return Conversion.NumberType.valueOf(type.name());
    }
}
