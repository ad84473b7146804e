package io.zarrengine.zarr.errors;

/** A chunk could not be encoded or decoded. The caller that knows the chunk's name adds it. */
public sealed class CodecException extends Exception
        permits MissingInnerChunkException, MissingLibraryException, TargetTooSmallException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param codec the codec's name
     * @param problem the value found and the value expected
     */
    public CodecException(String codec, String problem) {
        super(codec + ": " + problem);
    }

    /**
     * Creates the exception.
     *
     * @param codec the codec's name
     * @param problem the value found and the value expected
     * @param cause the cause
     */
    public CodecException(String codec, String problem, Throwable cause) {
        super(codec + ": " + problem, cause);
    }

    /**
     * {@return the exception of a read whose chunk could not be decoded}
     *
     * @param chunk the file and the place in it
     */
    public ZarrException ofChunk(String chunk) {
        return new CorruptChunkException(chunk, getMessage(), this);
    }
}
