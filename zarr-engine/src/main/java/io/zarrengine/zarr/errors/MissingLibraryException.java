package io.zarrengine.zarr.errors;

/**
 * No decoder or encoder for the codec is available because a library is missing. The chunk may be
 * valid.
 */
public final class MissingLibraryException extends CodecException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param codec the codec's name
     * @param problem the missing library
     * @param cause the cause
     */
    public MissingLibraryException(String codec, String problem, Throwable cause) {
        super(codec, problem + " (on the module path, it is there with --add-modules only)", cause);
    }

    @Override
    public ZarrException ofChunk(String chunk) {
        return new DecoderMissingException(chunk, getMessage(), this);
    }
}
