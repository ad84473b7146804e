package io.zarrengine.zarr.errors;

/**
 * The machine has not so much memory outside Java's heap, or a device has not: for a result, or for
 * a chunk that lies within the engine's budget. Others may free some.
 */
public final class OutOfMemoryException extends ZarrException {
    private static final long serialVersionUID = 1L;

    private OutOfMemoryException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * {@return the exception of a result}
     *
     * @param result which one
     * @param bytes its size
     * @param cause the machine's refusal
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
     * @param chunk which one
     * @param bytes what is read of it
     * @param cause the machine's refusal
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
     * @param cause the machine's refusal
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
