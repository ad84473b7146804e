package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The {@code transpose} codec.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/index.html">Zarr
 *     v3, transpose codec</a>
 */
final class Transpose {
    static final String NAME = "transpose";

    private Transpose() {}

    /**
     * {@return the order of dimensions after one more transpose}
     *
     * @param before dimension {@code i} is dimension {@code before[i]} of the array
     * @param configuration of the codec
     * @throws io.zarrengine.zarr.errors.FormatException if it is not a permutation
     */
    static int[] after(int[] before, JsonFields configuration) {
        long[] dimensions = dimensions(configuration, before.length);
        if (dimensions.length == 0 && before.length > 0) {
            throw configuration.error("order", "is empty, the array is not");
        }
        boolean[] seen = new boolean[before.length];
        int[] after = new int[before.length];
        for (int i = 0; i < dimensions.length; i++) {
            int dimension = (int) dimensions[i];
            if (dimensions.length != before.length || dimension >= seen.length || seen[dimension]) {
                throw configuration.error(
                        "order",
                        "is "
                                + Arrays.toString(dimensions)
                                + ", expected a permutation of 0 to "
                                + (before.length - 1));
            }
            seen[dimension] = true;
            after[i] = before[dimension];
        }
        return after;
    }

    /**
     * Returns the configured order. GDAL wrote "C" and "F" until October 2025, following early
     * drafts of version 3.
     */
    private static long[] dimensions(JsonFields configuration, int rank) {
        Object order = configuration.any("order");
        if ("C".equals(order)) {
            return LongStream.range(0, rank).toArray();
        }
        if ("F".equals(order)) {
            return LongStream.range(0, rank).map(i -> rank - 1 - i).toArray();
        }
        return configuration.integers("order", 0, ArrayMetadata.RANK_MAX);
    }
}
