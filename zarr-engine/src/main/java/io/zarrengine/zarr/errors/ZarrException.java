package io.zarrengine.zarr.errors;

/** A problem with an array, a store or the engine, but never a bug of the caller. */
public abstract class ZarrException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception, for the classes of this package. */
    ZarrException(String message, Throwable cause) {
        super(message, cause);
    }
}
