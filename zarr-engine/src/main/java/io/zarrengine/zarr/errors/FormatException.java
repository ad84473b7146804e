package io.zarrengine.zarr.errors;

/** A metadata document is not valid Zarr, or asks for something that this engine does not know. */
public final class FormatException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param document the file, e.g. {@code /data/u/zarr.json}
     * @param field the place in it, e.g. {@code codecs[0].configuration.level}; empty for the whole
     * @param problem what was found there and what was expected
     */
    public FormatException(String document, String field, String problem) {
        this(document, field, problem, null);
    }

    /**
     * Creates the exception.
     *
     * @param document the file, e.g. {@code /data/u/zarr.json}
     * @param field the place in it, e.g. {@code codecs[0].configuration.level}; empty for the whole
     * @param problem what was found there and what was expected
     * @param cause what said so, or null
     */
    public FormatException(String document, String field, String problem, Throwable cause) {
        super(document + ": " + (field.isEmpty() ? "" : field + " ") + problem, cause);
    }
}
