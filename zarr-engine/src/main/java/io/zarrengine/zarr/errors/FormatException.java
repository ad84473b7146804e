package io.zarrengine.zarr.errors;

/**
 * A metadata document is not valid Zarr, or requires a feature that the engine does not support.
 */
public final class FormatException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param document the file, e.g. {@code /data/u/zarr.json}
     * @param field the place in it, e.g. {@code codecs[0].configuration.level}; empty for the whole
     *     document
     * @param problem the value found and the value expected
     */
    public FormatException(String document, String field, String problem) {
        this(document, field, problem, null);
    }

    /**
     * Creates the exception.
     *
     * @param document the file, e.g. {@code /data/u/zarr.json}
     * @param field the place in it, e.g. {@code codecs[0].configuration.level}; empty for the whole
     *     document
     * @param problem the value found and the value expected
     * @param cause the cause, or null
     */
    public FormatException(String document, String field, String problem, Throwable cause) {
        super(document + ": " + (field.isEmpty() ? "" : field + " ") + problem, cause);
    }
}
