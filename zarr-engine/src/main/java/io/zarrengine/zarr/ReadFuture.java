package io.zarrengine.zarr;

import io.zarrengine.zarr.execute.ReadRequest;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The caller's view of a request.
 *
 * <p>It completes when nobody writes to the target any more, also when it is cancelled: so the
 * target may be reused or freed at once. It completes on a virtual thread of its own; what a caller
 * hangs on it never runs on a worker.
 */
final class ReadFuture<T> extends CompletableFuture<T> {
    private final ReadRequest request;

    private ReadFuture(ReadRequest request) {
        this.request = request;
    }

    /** {@code result} is what the future completes with if the request ends well. */
    static <T> ReadFuture<T> of(ReadRequest request, T result) {
        ReadFuture<T> future = new ReadFuture<>(request);
        request.whenEnded(failure -> Thread.startVirtualThread(() -> future.end(result, failure)));
        return future;
    }

    /** What a request fails with that took too long: requests fail unchecked. */
    private static final class TookTooLong extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private void end(T result, Throwable failure) {
        if (failure == null) {
            complete(result);
        } else if (failure instanceof TookTooLong) {
            completeExceptionally(new TimeoutException());
        } else {
            completeExceptionally(failure);
        }
    }

    /**
     * Gives the read up when it takes longer than that. The future completes a little later, with
     * {@link TimeoutException}, when nobody writes to the target any more.
     *
     * @return this
     */
    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        CompletableFuture.delayedExecutor(timeout, unit)
                .execute(() -> request.fail(new TookTooLong()));
        return this;
    }

    /**
     * Asks the workers to give the request up. The future completes a little later.
     *
     * @return whether it had not completed before
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        request.fail(new CancellationException("the read was cancelled"));
        return !isDone();
    }
}
