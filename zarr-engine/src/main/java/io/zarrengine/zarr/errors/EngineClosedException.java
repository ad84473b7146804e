package io.zarrengine.zarr.errors;

/** The engine, or the array, was closed before the request could end. */
public final class EngineClosedException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param subject what was closed
     */
    public EngineClosedException(String subject) {
        super(subject + " is closed", null);
    }
}
