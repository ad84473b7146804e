package io.zarrengine.zarr.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.filter.NumberSteps.Step;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The steps of a filter chain on one number, or the refusal if a GPU cannot compute them. */
final class NumberStepsTest {
    private static final ArrayFilter SCALE =
            new FixedScaleOffset("fixed", NumericType.FLOAT32, NumericType.FLOAT32, 2, 1, 4);

    @Test
    void followOneAnotherFromTheStoredTypeOn() {
        ArrayFilter cast = new Cast("astype", NumericType.INT16, NumericType.FLOAT32, 4);
        List<Step> expected =
                List.of(
                        new Step.ToType(NumericType.FLOAT32),
                        new Step.ToType(NumericType.FLOAT32),
                        new Step.Scale(2, 1),
                        new Step.ToType(NumericType.FLOAT32));
        assertEquals(
                Optional.of(new NumberSteps(NumericType.INT16, 0, expected)),
                NumberSteps.of(List.of(SCALE, cast)));
    }

    /** Steps would turn the integers into floats of the same value, not of the same bytes. */
    @Test
    void makesNoStepsWhenTheNextFilterReinterpretsBytes() {
        ArrayFilter cast = new Cast("astype", NumericType.INT16, NumericType.INT32, 4);
        assertEquals(Optional.empty(), NumberSteps.of(List.of(SCALE, cast)));
    }
}
