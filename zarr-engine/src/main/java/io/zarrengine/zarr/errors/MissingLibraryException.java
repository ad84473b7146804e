package io.zarrengine.zarr.errors;

/** Nothing here can decode or encode the codec: a library is missing, and the chunk may be good. */
public final class MissingLibraryException extends CodecException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param codec the codec's name
     * @param problem what is missing
     * @param cause what said so
     */
    public MissingLibraryException(String codec, String problem, Throwable cause) {
        super(codec, problem + " (on the module path, it is there with --add-modules only)", cause);
    }

    @Override
    public ZarrException ofChunk(String chunk) {
        return new DecoderMissingException(chunk, getMessage(), this);
    }
}
