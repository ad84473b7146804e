package io.zarrengine.uring.reading;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The future of a read, for the caller.
 *
 * <p>It completes when no thread writes to the target any more, also if the caller cancels or
 * completes it. So the target may be reused or freed at once. Until then, these calls only ask the
 * read to end.
 *
 * <p>Owner: the code that started the read. It calls {@link #end} on a thread that may run the
 * caller's actions on the future, so not on a worker. Threads: any.
 *
 * @param <T> the result of the read
 */
public class ReadFuture<T> extends CompletableFuture<T> {
    private final Consumer<RuntimeException> giveUp;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * Creates the future of a read that has begun.
     *
     * @param giveUp asks the read to end soon, with this failure; the read may end with another
     *     result, or may have ended
     */
    public ReadFuture(Consumer<RuntimeException> giveUp) {
        this.giveUp = giveUp;
    }

    /** The failure of a read that its caller has ended. Reads fail with unchecked exceptions. */
    private static final class EndedByCaller extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Runnable completion;

        EndedByCaller(Runnable completion) {
            super("ended by the caller", null, false, false);
            this.completion = completion;
        }
    }

    /**
     * Completes the future, because no thread writes to the target any more.
     *
     * @param result the result of the read; called if there is no failure
     * @param failure why the read failed, possibly the failure passed to {@code giveUp}; otherwise
     *     null
     */
    public final void end(Supplier<T> result, Throwable failure) {
        try {
            if (failure == null) {
                super.complete(result.get());
            } else if (failure instanceof EndedByCaller byCaller) {
                byCaller.completion.run();
            } else {
                super.completeExceptionally(failure);
            }
        } catch (RuntimeException | Error e) { // Without this the caller would wait forever.
            super.completeExceptionally(e);
        }
        ended.complete(null);
    }

    private boolean endInstead(Runnable completion) {
        return giveUp(new EndedByCaller(completion));
    }

    private boolean giveUp(RuntimeException cause) {
        // Checked before, because a read that has not begun ends at once.
        boolean isOpen = !isDone();
        giveUp.accept(cause);
        return isOpen;
    }

    private ReadFuture<T> endLater(long timeout, TimeUnit unit, Runnable completion) {
        SureCompletion late =
                new SureCompletion(() -> giveUp.accept(new EndedByCaller(completion)));
        // A timer on the end, not on this future, because it needs no result, and the timer is
        // removed when the read ends. It takes no memory when the time is over.
        CompletableFuture<Void> _ =
                ended.thenApply(_ -> false)
                        .completeOnTimeout(true, timeout, unit)
                        .thenAccept(isLate -> {
                            if (isLate) {
                                late.start();
                            }
                        });
        return this;
    }

    /**
     * Ends the read if it takes longer than the timeout. The future completes a little later, with
     * {@link TimeoutException}, when no thread writes to the target any more.
     *
     * @return this
     */
    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return endLater(timeout, unit, () -> super.completeExceptionally(new TimeoutException()));
    }

    /**
     * Ends the read if it takes longer than the timeout. The future completes a little later, with
     * the value, when no thread writes to the target any more.
     *
     * @return this
     */
    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        return endLater(timeout, unit, () -> super.complete(value));
    }

    /**
     * Asks the read to end. The future completes a little later, with the value, or with the result
     * of the read if that was faster.
     *
     * @return whether the future had not completed before
     */
    @Override
    public boolean complete(T value) {
        return endInstead(() -> super.complete(value));
    }

    /**
     * Ends the read as {@link #complete} does, with the value that the supplier returns.
     *
     * @return this
     */
    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        Objects.requireNonNull(supplier);
        executor.execute(() -> {
            if (isDone()) {
                return;
            }
            try {
                complete(supplier.get());
            } catch (Throwable t) { // Allowed: it may be an undeclared checked exception.
                completeExceptionally(t);
            }
        });
        return this;
    }

    /**
     * Asks the read to end. The future completes a little later, with the failure, or with the
     * result of the read if that was faster.
     *
     * @return whether the future had not completed before
     */
    @Override
    public boolean completeExceptionally(Throwable failure) {
        Objects.requireNonNull(failure);
        return endInstead(() -> super.completeExceptionally(failure));
    }

    /**
     * Asks the read to end. The future completes a little later.
     *
     * @return whether the future had not completed before
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return giveUp(new CancellationException("the read was cancelled"));
    }

    /**
     * Refuses, because a thread may still write to the target.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public void obtrudeValue(T value) {
        throw new UnsupportedOperationException("a read has one end");
    }

    /**
     * Refuses, because a thread may still write to the target.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public void obtrudeException(Throwable failure) {
        throw new UnsupportedOperationException("a read has one end");
    }
}
