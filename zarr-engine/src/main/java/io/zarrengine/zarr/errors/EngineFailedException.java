package io.zarrengine.zarr.errors;

/**
 * The engine failed as a whole because Java's heap is full, or one of its workers broke because of
 * a bug.
 */
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
