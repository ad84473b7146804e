package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;

/**
 * Configuration fields that only encoders use: levels, presets, whether to add a checksum. Reading
 * accepts any value: n5-zarr writes the gzip level -1, NCZarr writes levels as text.
 *
 * @param configuration of the codec
 * @param isNeeded whether chunks will be encoded
 */
record EncoderFields(JsonFields configuration, boolean isNeeded) {
    /**
     * {@return a whole number; {@code otherwise} if it is missing, null, or invalid and not needed}
     *
     * @throws FormatException if it is needed, and is not a whole number from {@code min} to {@code
     *     max}
     */
    int integer(String name, int min, int max, int otherwise) {
        Object value = configuration.any(name);
        boolean isInRange = value instanceof Long number && number >= min && number <= max;
        boolean isUsable = value != null && (isNeeded || isInRange);
        return isUsable ? (int) configuration.integer(name, min, max) : otherwise;
    }

    /** Returns a boolean by the same rule. */
    boolean bool(String name, boolean otherwise) {
        Object value = configuration.any(name);
        boolean isUsable = value != null && (isNeeded || value instanceof Boolean);
        return isUsable ? configuration.bool(name, otherwise) : otherwise;
    }
}
