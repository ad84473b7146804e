package io.zarrengine.gpu.read;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Unwraps the failures of futures. */
final class Failures {
    private Failures() {}

    /** {@return the cause of a future's failure, without wrappers; null if it did not fail} */
    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    /** Completes a future as another one has, whose failure this is; null: it did not fail. */
    static void complete(CompletableFuture<Void> done, Throwable failure) {
        if (failure == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(cause(failure));
        }
    }

    /** Waits even if the thread is interrupted, because the device may still write. */
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
