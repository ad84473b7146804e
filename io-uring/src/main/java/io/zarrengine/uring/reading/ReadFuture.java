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
 * The caller's view of a read.
 *
 * <p>It completes when nobody writes to the target any more, also when it is cancelled or completed
 * by the caller: so the target may be reused or freed at once. Until then that only gives the read
 * up.
 *
 * <p>Owner: who started the read, and calls {@link #end} on a thread that may run what a caller
 * hangs on the future: no worker. Threads: any.
 *
 * @param <T> what the read brings
 */
public class ReadFuture<T> extends CompletableFuture<T> {
    private final Consumer<RuntimeException> giveUp;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * The future of a read that has begun.
     *
     * @param giveUp asks for the read to end soon, with this failure; it may end otherwise, and may
     *     have ended
     */
    public ReadFuture(Consumer<RuntimeException> giveUp) {
        this.giveUp = giveUp;
    }

    /** What a read fails with that its caller has ended: reads fail unchecked. */
    private static final class EndedByCaller extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Runnable completion;

        EndedByCaller(Runnable completion) {
            super("ended by the caller", null, false, false);
            this.completion = completion;
        }
    }

    /**
     * Completes the future: nobody writes to the target any more.
     *
     * @param result what the read has brought; asked for if there is no failure
     * @param failure why the read failed, which may be what it was given up with; else null
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
        } catch (RuntimeException | Error e) { // Whoever waits would wait for ever.
            super.completeExceptionally(e);
        }
        ended.complete(null);
    }

    private boolean endInstead(Runnable completion) {
        return giveUp(new EndedByCaller(completion));
    }

    private boolean giveUp(RuntimeException cause) {
        boolean isOpen = !isDone(); // Asked before: a read that has not begun ends at once.
        giveUp.accept(cause);
        return isOpen;
    }

    private ReadFuture<T> endLater(long timeout, TimeUnit unit, Runnable completion) {
        // Of the end, not of this: nobody waits for the result, and the timer forgets a read that
        // ends.
        CompletableFuture<Void> _ =
                ended.copy()
                        .orTimeout(timeout, unit)
                        .exceptionallyAsync(
                                late -> {
                                    giveUp.accept(new EndedByCaller(completion));
                                    return null;
                                },
                                Thread::startVirtualThread);
        return this;
    }

    /**
     * Gives the read up when it takes longer than that. The future completes a little later, with
     * {@link TimeoutException}, when nobody writes to the target any more.
     *
     * @return this
     */
    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        return endLater(timeout, unit, () -> super.completeExceptionally(new TimeoutException()));
    }

    /**
     * Gives the read up when it takes longer than that. The future completes a little later, with
     * the value, when nobody writes to the target any more.
     *
     * @return this
     */
    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        return endLater(timeout, unit, () -> super.complete(value));
    }

    /**
     * Asks for the read to be given up. The future completes a little later, with the value, or
     * with what the read has brought if it was faster.
     *
     * @return whether it had not completed before
     */
    @Override
    public boolean complete(T value) {
        return endInstead(() -> super.complete(value));
    }

    /**
     * Gives the read up as {@link #complete} does, with the value that the supplier then returns.
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
            } catch (Throwable t) { // Allowed: it may have been thrown unseen by the compiler.
                completeExceptionally(t);
            }
        });
        return this;
    }

    /**
     * Asks for the read to be given up. The future completes a little later, with the failure, or
     * with what the read has brought if it was faster.
     *
     * @return whether it had not completed before
     */
    @Override
    public boolean completeExceptionally(Throwable failure) {
        Objects.requireNonNull(failure);
        return endInstead(() -> super.completeExceptionally(failure));
    }

    /**
     * Asks for the read to be given up. The future completes a little later.
     *
     * @return whether it had not completed before
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return giveUp(new CancellationException("the read was cancelled"));
    }

    /**
     * Refuses: somebody may still write to the target.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public void obtrudeValue(T value) {
        throw new UnsupportedOperationException("a read has one end");
    }

    /**
     * Refuses: somebody may still write to the target.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public void obtrudeException(Throwable failure) {
        throw new UnsupportedOperationException("a read has one end");
    }
}
