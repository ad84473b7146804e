package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.Selection;
import java.util.List;

/** The samples of a list. */
record SampleList(List<Selection> samples) implements Sampler {
    @Override
    public Selection get(long number) {
        return samples.get(Math.toIntExact(number));
    }

    @Override
    public long count() {
        return samples.size();
    }
}
