package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Loads the elements that were read, and computes each by itself.
 *
 * @param type of the elements
 * @param view where they are, counted in elements
 * @param steps the steps to compute
 */
record SourceRows(NumericType type, View view, PointwiseSteps steps) implements Rows {
    @Override
    public void load(
            MemorySegment source,
            long base,
            long[] position,
            long from,
            double[] values,
            int count) {
        long at = base + index(position, from);
        Elements.load(type, source, at, lastStride(), values, count);
        steps.apply(position, from, values, count);
    }

    /** {@return the index of an element in the sample} */
    long index(long[] position, long from) {
        int last = view.lengths.length - 1;
        long index = view.starts[last] + from * view.strides[last];
        for (int d = 0; d < last; d++) {
            index += view.starts[d] + position[d] * view.strides[d];
        }
        return index;
    }

    long lastStride() {
        return view.strides[view.strides.length - 1];
    }

    @Override
    public void addTo(List<Program.Level> levels) {
        levels.add(view.level(new int[0], steps));
    }
}
