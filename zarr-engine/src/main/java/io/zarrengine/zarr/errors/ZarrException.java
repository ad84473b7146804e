package io.zarrengine.zarr.errors;

/** An error of an array, a store or the engine; never a bug of the caller. */
public abstract class ZarrException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** For the classes of this package. */
    ZarrException(String message, Throwable cause) {
        super(message, cause);
    }
}
