package io.zarrengine.gpu.read;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The causes that futures fail with. */
final class Failures {
    private Failures() {}

    /** {@return what a future failed with, without the wrapping; null if it did not fail} */
    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    /** Waits, also through an interrupt: the device may still write. */
    static void join(CompletableFuture<Void> done) {
        try {
            done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
