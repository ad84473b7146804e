package io.zarrengine.zarr.errors;

/** The engine itself failed: there was no memory for it to work with, or it has a bug. */
public final class EngineFailedException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem what failed
     * @param cause why; the message names it
     */
    public EngineFailedException(String problem, Throwable cause) {
        super(problem + ": " + cause, cause);
    }
}
