package io.zarrengine.zarr.errors;

/** A file could not be read or written. */
public final class StoreException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param subject the file, and where it matters the offset and the length in bytes
     * @param problem what happened, with the errno's name where there is one
     * @param cause what said so, or null
     */
    public StoreException(String subject, String problem, Throwable cause) {
        super(subject + ": " + problem, cause);
    }
}
