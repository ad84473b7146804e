package io.zarrengine.zarr.errors;

/**
 * The machine or a device lacks memory outside Java's heap, for a result or for a chunk within the
 * engine's budget. A later attempt may succeed once memory is freed.
 */
public final class OutOfMemoryException extends ZarrException {
    private static final long serialVersionUID = 1L;

    private OutOfMemoryException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * {@return the exception for a result}
     *
     * @param result description of the result
     * @param bytes its size in bytes
     * @param cause the failed allocation
     */
    public static OutOfMemoryException ofResult(String result, long bytes, Throwable cause) {
        return new OutOfMemoryException(
                result
                        + " takes "
                        + bytes
                        + " bytes of memory, which cannot be had: select less at a time ("
                        + cause.getMessage()
                        + ")",
                cause);
    }

    /**
     * {@return the exception for a chunk}
     *
     * @param chunk name of the chunk
     * @param bytes size of the part that is read, in bytes
     * @param cause the failed allocation
     */
    public static OutOfMemoryException ofChunk(String chunk, long bytes, Throwable cause) {
        return new OutOfMemoryException(
                chunk
                        + " takes "
                        + bytes
                        + " bytes of memory, which cannot be had: "
                        + cause.getMessage(),
                cause);
    }

    /**
     * {@return the exception for an array's elements of variable length}
     *
     * @param array its path
     * @param cause the failed allocation
     */
    public static OutOfMemoryException ofElements(String array, Throwable cause) {
        return new OutOfMemoryException(
                array
                        + ": the elements take more memory than can be had: select less at a time"
                        + " ("
                        + cause.getMessage()
                        + ")",
                cause);
    }
}
