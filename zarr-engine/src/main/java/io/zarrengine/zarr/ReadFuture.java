package io.zarrengine.zarr;

import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.device.DeviceReading;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The caller's view of a read.
 *
 * <p>It completes when nobody writes to the target any more, also when it is cancelled: so the
 * target may be reused or freed at once. What a caller hangs on it never runs on a worker: it
 * completes on a virtual thread of its own, if on no thread of the caller's.
 */
class ReadFuture<T> extends CompletableFuture<T> {
    private final Consumer<RuntimeException> giveUp;

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
        ReadFuture<List<DeviceTensor>> all =
                new ReadFuture<>(reason -> reads.forEach(read -> read.giveUp.accept(reason)));
        for (ReadFuture<DeviceTensor> read : reads) {
            CompletableFuture<DeviceTensor> _ =
                    read.whenComplete((tensor, failure) -> {
                        if (failure != null) {
                            all.cancel(true);
                        }
                    });
        }
        CompletableFuture<Void> _ =
                CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                        .whenComplete((nothing, failure) -> endAll(all, reads));
        return all;
    }

    private static void endAll(
            ReadFuture<List<DeviceTensor>> all, List<ReadFuture<DeviceTensor>> reads) {
        List<DeviceTensor> tensors =
                reads.stream()
                        .filter(read -> read.state() == State.SUCCESS)
                        .map(CompletableFuture::resultNow)
                        .toList();
        if (tensors.size() == reads.size()) {
            all.complete(tensors);
        } else {
            tensors.forEach(DeviceTensor::close);
            all.completeExceptionally(firstFailure(reads));
        }
    }

    /** The failure that made {@link #ofAll} give up the others. */
    private static Throwable firstFailure(List<ReadFuture<DeviceTensor>> reads) {
        List<Throwable> failures =
                reads.stream()
                        .filter(CompletableFuture::isCompletedExceptionally)
                        .map(ReadFuture::failure)
                        .toList();
        return failures.stream()
                .filter(failure -> !(failure instanceof CancellationException))
                .findFirst()
                .orElse(failures.getFirst());
    }

    private Throwable failure() {
        return handle((result, failure) -> failure).join();
    }

    /** What a read fails with that took too long: reads fail unchecked. */
    private static final class TookTooLong extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    final void end(Supplier<T> result, Throwable failure) {
        if (failure == null) {
            complete(result.get());
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
        CompletableFuture.delayedExecutor(timeout, unit, Thread::startVirtualThread)
                .execute(() -> giveUp.accept(new TookTooLong()));
        return this;
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
}
