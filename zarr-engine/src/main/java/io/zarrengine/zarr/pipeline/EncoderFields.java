package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;

/**
 * What a codec's configuration says to encoders alone: levels, presets, whether to add a checksum.
 * No chunk is refused for it when it is read, whatever it is: n5-zarr writes the gzip level -1,
 * NCZarr levels as text.
 *
 * @param configuration the codec's
 * @param isNeeded whether chunks are to be encoded
 */
record EncoderFields(JsonFields configuration, boolean isNeeded) {
    /**
     * {@return a whole number, or {@code otherwise} if it is missing, null, or of no use and not
     * needed}
     *
     * @throws FormatException if it is needed, and no whole number from {@code min} to {@code max}
     */
    int integer(String name, int min, int max, int otherwise) {
        Object value = configuration.any(name);
        boolean isInRange = value instanceof Long number && number >= min && number <= max;
        boolean isUsable = value != null && (isNeeded || isInRange);
        return isUsable ? (int) configuration.integer(name, min, max) : otherwise;
    }

    /** The same for true or false. */
    boolean bool(String name, boolean otherwise) {
        Object value = configuration.any(name);
        boolean isUsable = value != null && (isNeeded || value instanceof Boolean);
        return isUsable ? configuration.bool(name, otherwise) : otherwise;
    }
}
