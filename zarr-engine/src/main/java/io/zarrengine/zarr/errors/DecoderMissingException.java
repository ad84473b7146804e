package io.zarrengine.zarr.errors;

/** A chunk cannot be decoded because a library is missing. The chunk itself may be good. */
public final class DecoderMissingException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param chunk the file and the place in it, e.g. {@code /data/u/c/0/1, inner chunk (0, 3)}
     * @param problem the codec's name, then the missing library
     * @param cause the original error
     */
    public DecoderMissingException(String chunk, String problem, Throwable cause) {
        super(chunk + ": " + problem, cause);
    }
}
