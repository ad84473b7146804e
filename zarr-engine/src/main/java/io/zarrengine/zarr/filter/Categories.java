package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumpyType;
import io.zarrengine.zarr.json.JsonFields;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration of the {@code categorize} codec. Text is stored as the number of its label,
 * from 1; any other number means empty text.
 *
 * @param stored the type of the numbers
 * @param order their byte order
 * @param labels the first one has the number 1
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/filter/categorize.html">numcodecs,
 *     Categorize</a>
 */
public record Categories(NumericType stored, ByteOrder order, List<String> labels) {
    /** The codec's id. */
    public static final String ID = "categorize";

    /**
     * {@return the parsed configuration}
     *
     * @param configuration of the codec
     * @throws io.zarrengine.zarr.errors.FormatException if it is not valid
     */
    public static Categories parse(JsonFields configuration) {
        String numbers = configuration.string("astype", "|u1");
        NumericType stored;
        ByteOrder order;
        try {
            stored = NumpyType.numeric(numbers);
            order = NumpyType.parse(numbers).order();
        } catch (IllegalArgumentException e) {
            throw configuration.error("astype", e.getMessage());
        }
        boolean integer =
                stored.kind() == NumericType.Kind.SIGNED
                        || stored.kind() == NumericType.Kind.UNSIGNED;
        if (!integer) {
            throw configuration.error("astype", "is " + numbers + ", expected an integer type");
        }
        return new Categories(stored, order, labels(configuration));
    }

    private static List<String> labels(JsonFields configuration) {
        List<String> labels = new ArrayList<>();
        for (Object label : configuration.array("labels")) {
            if (!(label instanceof String text)) {
                throw configuration.error("labels", "holds " + label + ", expected strings");
            }
            labels.add(text);
        }
        return List.copyOf(labels);
    }
}
