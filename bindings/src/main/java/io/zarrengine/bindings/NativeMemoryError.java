package io.zarrengine.bindings;

/**
 * The machine has no memory outside Java's heap. The code that reports it to a caller makes an
 * exception of it.
 */
public final class NativeMemoryError extends OutOfMemoryError {
    private static final long serialVersionUID = 1L;

    NativeMemoryError(Throwable refusal) {
        super(refusal.getMessage());
        initCause(refusal);
    }

    /**
     * Creates the error of a library.
     *
     * @param function returned NULL
     */
    public NativeMemoryError(String function) {
        super(function);
    }
}
