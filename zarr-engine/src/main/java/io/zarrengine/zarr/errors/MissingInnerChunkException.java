package io.zarrengine.zarr.errors;

/**
 * An inner chunk of a shard that is decoded as a whole was never written, and the engine is set to
 * treat missing chunks as errors. A read fails with a {@link MissingChunkException} that also names
 * the shard.
 */
public final class MissingInnerChunkException extends CodecException {
    private static final long serialVersionUID = 1L;

    private final String innerChunk;

    /**
     * Creates the exception.
     *
     * @param innerChunk its place in the shard, e.g. {@code inner chunk 3}
     */
    public MissingInnerChunkException(String innerChunk) {
        super("sharding_indexed", innerChunk + " was never written");
        this.innerChunk = innerChunk;
    }

    @Override
    public ZarrException ofChunk(String chunk) {
        return new MissingChunkException(chunk + ", " + innerChunk);
    }
}
