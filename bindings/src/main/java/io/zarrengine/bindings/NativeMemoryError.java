package io.zarrengine.bindings;

/**
 * Thrown if there is not enough memory outside Java's heap. Code that reports it to a user converts
 * it to an exception.
 */
public final class NativeMemoryError extends OutOfMemoryError {
    private static final long serialVersionUID = 1L;

    NativeMemoryError(Throwable refusal) {
        super(refusal.getMessage());
        initCause(refusal);
    }
}
