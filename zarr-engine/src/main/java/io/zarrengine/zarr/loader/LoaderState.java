package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The position of a loader, from which a later one continues. It counts samples, so that the later
 * loader may have another batch size, or another number of ranks. It is the same for all ranks
 * after the same number of steps.
 *
 * @param epoch number of complete epochs
 * @param sample number of samples of the current epoch that all ranks together have taken
 */
public record LoaderState(long epoch, long sample) {
    /** The first sample of the first epoch. */
    public static final LoaderState START = new LoaderState(0, 0);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public LoaderState {
        if (epoch < 0 || sample < 0) {
            throw new IllegalArgumentException(
                    "epoch " + epoch + ", sample " + sample + ": none may be negative");
        }
    }

    /** {@return this state as JSON, e.g. {@code {"epoch":3,"sample":4096}}} */
    public String toJson() {
        return JsonWriter.toLine(new TreeMap<>(Map.of("epoch", epoch, "sample", sample)));
    }

    /**
     * {@return the state that {@link #toJson} wrote}
     *
     * @param json the text
     * @throws FormatException if it is no such state
     */
    public static LoaderState parse(String json) {
        JsonFields fields =
                JsonFields.parse("the loader's state", json.getBytes(StandardCharsets.UTF_8));
        fields.names().forEach(name -> fields.refuseUnknown(name, List.of("epoch", "sample")));
        return new LoaderState(
                fields.integer("epoch", 0, Long.MAX_VALUE),
                fields.integer("sample", 0, Long.MAX_VALUE));
    }
}
