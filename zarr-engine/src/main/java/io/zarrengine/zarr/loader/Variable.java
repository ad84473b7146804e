package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import java.util.Objects;

/**
 * An array of a loader, and what to read of it.
 *
 * @param name of its tensors
 * @param array the array
 * @param sampler its samples
 */
record Variable(String name, ZarrArray array, Sampler sampler) {
    Variable {
        Objects.requireNonNull(name, "the name of a variable is null");
        Objects.requireNonNull(array, () -> "the array of " + name + " is null");
        Objects.requireNonNull(sampler, () -> "the sampler of " + name + " is null");
    }

    Selection sample(long number) {
        return Objects.requireNonNull(sampler.get(number), () -> describe(number) + " is null");
    }

    /** Throws as the array does if it refuses a sample; the message names the sample. */
    void check(long number, Selection sample) {
        try {
            array.shapeOf(sample);
        } catch (IndexOutOfBoundsException e) {
            String message = describe(number) + ": " + e.getMessage();
            throw (IndexOutOfBoundsException) new IndexOutOfBoundsException(message).initCause(e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(describe(number) + ": " + e.getMessage(), e);
        }
    }

    private String describe(long number) {
        return "sample " + number + " of " + array.path();
    }
}
