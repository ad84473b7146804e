package io.zarrengine.zarr.errors;

/**
 * The bytes of a chunk or a shard are damaged: they do not decode to what the metadata promises.
 */
public final class CorruptChunkException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param chunk the file, and the place in it, e.g. {@code /data/u/c/0/1, inner chunk (0, 3)}
     * @param problem what was found and what was expected, beginning with the codec's name
     * @param cause what said so, or null
     */
    public CorruptChunkException(String chunk, String problem, Throwable cause) {
        super(chunk + ": " + problem, cause);
    }
}
