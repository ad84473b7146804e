package io.zarrengine.zarr.errors;

/** The whole engine failed: there was no memory for it to work with, or it has a bug. */
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

    /**
     * {@return the failure of the reads of a worker that broke: the original error itself if there
     * is no memory to say more}
     *
     * @param cause the original error
     */
    public static Throwable ofWorker(Throwable cause) {
        try {
            return new EngineFailedException("a worker broke", cause);
        } catch (OutOfMemoryError e) {
            return cause;
        }
    }
}
