package io.zarrengine.zarr.errors;

/** The bytes of a chunk or a shard are damaged. They do not decode as the metadata requires. */
public final class CorruptChunkException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param chunk the file and the place in it, e.g. {@code /data/u/c/0/1, inner chunk (0, 3)}
     * @param problem the value found and the value expected, after the codec's name
     * @param cause the cause, or null
     */
    public CorruptChunkException(String chunk, String problem, Throwable cause) {
        super(chunk + ": " + problem, cause);
    }
}
