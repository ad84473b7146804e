package io.zarrengine.zarr.errors;

/**
 * A chunk cannot be decoded here, for a library is missing. That says nothing of the chunk: it may
 * be good.
 */
public final class DecoderMissingException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param chunk the file, and the place in it, e.g. {@code /data/u/c/0/1, inner chunk (0, 3)}
     * @param problem what is missing, beginning with the codec's name
     * @param cause what said so
     */
    public DecoderMissingException(String chunk, String problem, Throwable cause) {
        super(chunk + ": " + problem, cause);
    }
}
