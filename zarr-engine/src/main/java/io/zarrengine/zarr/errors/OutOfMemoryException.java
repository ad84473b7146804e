package io.zarrengine.zarr.errors;

/**
 * The machine has too little free memory outside Java's heap, or a device has too little, for a
 * result or for a chunk that fits the engine's budget. A later attempt may succeed if other users
 * free memory.
 */
public final class OutOfMemoryException extends ZarrException {
    private static final long serialVersionUID = 1L;

    private OutOfMemoryException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * {@return the exception of a result}
     *
     * @param result the result's description
     * @param bytes its size
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
     * {@return the exception of a chunk}
     *
     * @param chunk the chunk's name
     * @param bytes the size of the part to read
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
     * {@return the exception of an array's elements of variable length}
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
