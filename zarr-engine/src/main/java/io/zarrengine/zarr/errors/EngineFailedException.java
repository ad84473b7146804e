package io.zarrengine.zarr.errors;

/** The engine itself failed: it ran out of memory, or has a bug. */
public final class EngineFailedException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem the operation that failed
     * @param cause the cause, which the message names
     */
    public EngineFailedException(String problem, Throwable cause) {
        super(problem + ": " + cause, cause);
    }
}
