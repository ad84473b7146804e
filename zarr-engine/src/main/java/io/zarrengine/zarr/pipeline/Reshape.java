package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code reshape} codec: the same elements in the same order, in another shape. Each length is
 * a number, -1 (once) for the rest, or the product of some input dimensions.
 *
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/reshape">
 *     zarr-extensions, reshape</a>
 */
final class Reshape {
    static final String NAME = "reshape";

    private final JsonFields configuration;
    private final long[] input;
    private final long elements;
    private int dimensionsUsed; // of the input; they must be in increasing order

    private Reshape(JsonFields configuration, long[] input) {
        this.configuration = configuration;
        this.input = input;
        this.elements = product(input, input.length);
    }

    private static long product(long[] lengths, int count) {
        return Arrays.stream(lengths, 0, count).reduce(1, (a, b) -> a * b);
    }

    /** Returns the output shape for the shape {@code input}. */
    static long[] shape(JsonFields configuration, long[] input) {
        return new Reshape(configuration, input).parse();
    }

    private long[] parse() {
        List<?> wanted = configuration.array("shape");
        if (wanted.size() > ArrayMetadata.RANK_MAX) {
            throw error("has more than " + ArrayMetadata.RANK_MAX + " dimensions");
        }
        long[] lengths = new long[wanted.size()];
        int open = -1; // the dimension with length -1
        long product = 1;
        for (int i = 0; i < lengths.length; i++) {
            if (wanted.get(i).equals(-1L) && open < 0) {
                open = i;
                continue;
            }
            lengths[i] = length(wanted.get(i));
            if (lengths[i] < 1 || lengths[i] > elements / product) {
                throw doesNotFit();
            }
            product *= lengths[i];
        }
        if (open >= 0) {
            lengths[open] = elements / product;
            product *= lengths[open];
        }
        if (product != elements) {
            throw doesNotFit();
        }
        checkPlaces(wanted, lengths);
        return lengths;
    }

    private long length(Object wanted) {
        if (wanted instanceof Long length) {
            return length;
        }
        if (!(wanted instanceof List<?> dimensions)) {
            throw error("holds what is no length and no list");
        }
        long product = 1;
        for (Object dimension : dimensions) {
            if (!(dimension instanceof Long number)
                    || number < dimensionsUsed
                    || number >= input.length) {
                throw error("names dimensions that are not in order, or do not exist");
            }
            dimensionsUsed = number.intValue() + 1;
            product *= input[number.intValue()]; // divides the number of elements, so it fits
        }
        return product;
    }

    /** Checks that the dimensions before named ones have the same product on both sides. */
    private void checkPlaces(List<?> wanted, long[] lengths) {
        for (int i = 0; i < lengths.length; i++) {
            if (wanted.get(i) instanceof List<?> dimensions && !dimensions.isEmpty()) {
                int first = ((Long) dimensions.getFirst()).intValue();
                int behind = ((Long) dimensions.getLast()).intValue() + 1;
                if (product(lengths, i) != product(input, first)
                        || product(lengths, i + 1) != product(input, behind)) {
                    throw error("names dimensions that do not lie there");
                }
            }
        }
    }

    private FormatException doesNotFit() {
        return error("does not fit the shape " + Arrays.toString(input));
    }

    private FormatException error(String problem) {
        return configuration.error("shape", problem);
    }
}
