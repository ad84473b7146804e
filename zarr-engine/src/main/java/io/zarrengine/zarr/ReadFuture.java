package io.zarrengine.zarr;

import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.device.DeviceReading;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The caller's view of a read.
 *
 * <p>It completes when nobody writes to the target any more, also when it is cancelled or completed
 * by the caller: so the target may be reused or freed at once. What a caller hangs on it never runs
 * on a worker: it completes on a virtual thread of its own, if on no thread of the caller's.
 */
class ReadFuture<T> extends CompletableFuture<T> {
    private final Consumer<RuntimeException> giveUp;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    ReadFuture(Consumer<RuntimeException> giveUp) {
        this.giveUp = giveUp;
    }

    /** {@code result} makes what the future completes with of the memory that was read to. */
    static <T> ReadFuture<T> of(DeviceReading reading, Function<DeviceMemory, T> result) {
        ReadFuture<T> future = new ReadFuture<>(reading::fail);
        // Here and now if it has ended: nobody waits for the future yet.
        Executor ends = reading.hasEnded() ? Runnable::run : Thread::startVirtualThread;
        reading.whenEnded((memory, failure) ->
                ends.execute(() -> future.end(() -> result.apply(memory), failure)));
        return future;
    }

    /**
     * Of reads of which the caller wants all or none: when one fails, the others are given up, and
     * what they brought is freed.
     */
    static ReadFuture<List<DeviceTensor>> ofAll(List<ReadFuture<DeviceTensor>> reads) {
        AtomicReference<Throwable> first = new AtomicReference<>();
        Consumer<Throwable> giveUp =
                reason -> {
                    if (reason != null && first.compareAndSet(null, reason)) {
                        reads.forEach(read -> read.cancel(true));
                    }
                };
        ReadFuture<List<DeviceTensor>> all = new ReadFuture<>(giveUp::accept);
        CompletableFuture<?>[] ends =
                reads.stream()
                        .map(read -> read.whenComplete((tensor, failure) -> giveUp.accept(failure)))
                        .toArray(CompletableFuture[]::new);
        CompletableFuture<Void> _ =
                CompletableFuture.allOf(ends)
                        .whenComplete((nothing, failure) -> endAll(all, reads, first.get()));
        return all;
    }

    private static void endAll(
            ReadFuture<List<DeviceTensor>> all,
            List<ReadFuture<DeviceTensor>> reads,
            Throwable failure) {
        List<DeviceTensor> tensors =
                reads.stream()
                        .filter(read -> read.state() == State.SUCCESS)
                        .map(CompletableFuture::resultNow)
                        .toList();
        if (failure != null) {
            tensors.forEach(tensor -> close(tensor, failure));
        }
        all.end(() -> tensors, failure);
    }

    private static void close(DeviceTensor tensor, Throwable failure) {
        try {
            tensor.close();
        } catch (RuntimeException | Error e) { // The others have to be closed too.
            failure.addSuppressed(e);
        }
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

    final void end(Supplier<T> result, Throwable failure) {
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
        giveUp.accept(new EndedByCaller(completion));
        return !isDone();
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
        giveUp.accept(new CancellationException("the read was cancelled"));
        return !isDone();
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
