package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.json.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The attributes by which the CF conventions describe packed and missing numbers. */
final class CfAttributes {
    private CfAttributes() {}

    static Transform transform(Map<String, Object> attributes) {
        Transform transform = Transform.identity();
        for (String name : List.of("_FillValue", "missing_value")) {
            double value = number(attributes, name, Double.NaN);
            if (!Double.isNaN(value)) {
                transform = transform.missing(value);
            }
        }
        double factor = number(attributes, "scale_factor", 1);
        double offset = number(attributes, "add_offset", 0);
        boolean isPacked =
                attributes.containsKey("scale_factor") || attributes.containsKey("add_offset");
        return isPacked ? transform.scale(factor, offset) : transform;
    }

    private static double number(Map<String, Object> attributes, String name, double otherwise) {
        Object value = attributes.get(name);
        if (value instanceof List<?> one && one.size() == 1) { // as netCDF has them
            value = one.getFirst();
        }
        return switch (value) {
            case null -> otherwise;
            case Number number -> number.doubleValue();
            case String text when text.equals("NaN") -> Double.NaN;
            case String text when isEncoded(text) -> decoded(text).getDouble();
            default ->
                    throw new IllegalArgumentException(
                            "the attribute " + name + " is " + JsonWriter.show(value));
        };
    }

    /** Returns whether a text is a float64 in base64, as xarray writes them to Zarr version 3. */
    private static boolean isEncoded(String text) {
        return text.matches("[A-Za-z0-9+/]{11}=");
    }

    private static ByteBuffer decoded(String text) {
        return ByteBuffer.wrap(Base64.getDecoder().decode(text)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
