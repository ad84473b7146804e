package io.zarrengine.zarr.datatype;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * NumPy's {@code datetime64} and {@code timedelta64}: a number of time steps in 64 bits, since 1970
 * or between two points in time. The smallest number means "not a time".
 *
 * @param kind a point in time or a duration
 * @param unit the unit of a step, e.g. {@code "ns"}; {@code "generic"} for none
 * @param scaleFactor units in a step, {@code > 0}
 * @see <a
 *     href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/numpy.datetime64">
 *     zarr-extensions, numpy.datetime64</a>
 */
public record TemporalType(Kind kind, String unit, int scaleFactor) implements DataType {
    private static final List<String> UNITS =
            List.of(
                    "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "μs", "ns", "ps", "fs", "as",
                    "generic");

    /** The fill value for "not a time". */
    public static final String NOT_A_TIME = "NaT";

    /** Points in time and durations. */
    public enum Kind {
        /** A point in time: steps since 1970-01-01T00:00. */
        DATETIME("numpy.datetime64"),
        /** A duration. */
        TIMEDELTA("numpy.timedelta64");

        private final String typeName;

        Kind(String typeName) {
            this.typeName = typeName;
        }
    }

    /** Checks the parameters. */
    public TemporalType {
        if (!UNITS.contains(unit)) {
            throw new IllegalArgumentException(
                    "unit \"" + unit + "\", expected one of " + String.join(", ", UNITS));
        }
        if (scaleFactor < 1) {
            throw new IllegalArgumentException("scale_factor " + scaleFactor + ", expected >= 1");
        }
    }

    @Override
    public String typeName() {
        return kind.typeName;
    }

    @Override
    public int byteSize() {
        return Long.BYTES;
    }

    @Override
    public int byteOrderUnit() {
        return Long.BYTES;
    }

    @Override
    public byte[] fillValue(Object json) {
        return NumericType.INT64.fillValue(NOT_A_TIME.equals(json) ? Long.MIN_VALUE : json);
    }

    @Override
    public Object fillValueToJson(byte[] element) {
        Object steps = NumericType.INT64.fillValueToJson(element);
        return steps.equals(Long.MIN_VALUE) ? NOT_A_TIME : steps;
    }

    @Override
    public Map<String, Object> configuration() {
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("unit", unit);
        configuration.put("scale_factor", (long) scaleFactor);
        return configuration;
    }
}
