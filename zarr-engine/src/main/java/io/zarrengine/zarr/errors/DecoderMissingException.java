package io.zarrengine.zarr.errors;

/** A chunk cannot be decoded because a library is missing. The chunk itself may be valid. */
public final class DecoderMissingException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param chunk the file and the place in it, e.g. {@code /data/u/c/0/1, inner chunk (0, 3)}
     * @param problem the missing library, after the codec's name
     * @param cause the cause
     */
    public DecoderMissingException(String chunk, String problem, Throwable cause) {
        super(chunk + ": " + problem, cause);
    }
}
