package io.zarrengine.zarr.errors;

/** The whole engine failed because Java's heap is full, or because a worker failed with a bug. */
public final class EngineFailedException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem the part that failed
     * @param cause the original error; the message names it
     */
    public EngineFailedException(String problem, Throwable cause) {
        super(problem + ": " + cause, cause);
    }
}
