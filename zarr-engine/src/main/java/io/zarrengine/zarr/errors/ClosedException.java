package io.zarrengine.zarr.errors;

/** The engine or the array was closed before the request could end. */
public final class ClosedException extends ZarrException {
    private static final long serialVersionUID = 1L;

    private ClosedException(String message) {
        super(message, null);
    }

    /** {@return the exception of a closed engine} */
    public static ClosedException ofEngine() {
        return new ClosedException("the engine is closed");
    }

    /**
     * {@return the exception of a closed array, whose engine may be open}
     *
     * @param path the array's path
     */
    public static ClosedException ofArray(String path) {
        return new ClosedException(path + ": the array is closed");
    }
}
