package io.zarrengine.zarr.errors;

/** A chunk was never written, and the engine is set to treat missing chunks as errors. */
public final class MissingChunkException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param chunk its file and the place in it, e.g. {@code /data/u/c/0/1, inner chunk (0, 3)}
     */
    public MissingChunkException(String chunk) {
        super(
                chunk
                        + ": was never written; the engine was opened with missingChunks(ERROR), else"
                        + " its elements are the fill value",
                null);
    }
}
