package io.zarrengine.zarr;

import io.zarrengine.uring.reading.CompletionThread;
import io.zarrengine.uring.reading.ReadFuture;
import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.device.DeviceReading;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** Creates the futures of reads to devices. */
final class DeviceReadFutures {
    private DeviceReadFutures() {}

    /** Returns the future of one read. {@code result} turns the memory into the future's result. */
    static <T> ReadFuture<T> of(DeviceReading reading, Function<DeviceMemory, T> result) {
        ReadFuture<T> future = new ReadFuture<>(reading::fail);
        // An ended read completes the future on this thread, because no caller waits for it yet.
        Executor ends = reading.hasEnded() ? Runnable::run : CompletionThread::start;
        reading.whenEnded((memory, failure) ->
                ends.execute(() -> future.end(() -> result.apply(memory), failure)));
        return future;
    }

    /**
     * Combines reads that the caller wants all or none of. If one fails, the others are cancelled
     * and their results freed.
     */
    static <T> ReadFuture<List<T>> ofAll(List<ReadFuture<T>> reads, Consumer<T> free) {
        AtomicReference<Throwable> first = new AtomicReference<>();
        Consumer<Throwable> giveUp =
                reason -> {
                    if (reason != null && first.compareAndSet(null, reason)) {
                        reads.forEach(read -> read.cancel(true));
                    }
                };
        ReadFuture<List<T>> all = new ReadFuture<>(giveUp::accept);
        CompletableFuture<?>[] ends =
                reads.stream()
                        .map(read -> read.whenComplete((result, failure) -> giveUp.accept(failure)))
                        .toArray(CompletableFuture[]::new);
        CompletableFuture<Void> _ =
                CompletableFuture.allOf(ends)
                        .whenComplete((nothing, failure) -> {
                            List<T> results = results(reads);
                            Throwable reason = first.get(); // Read once: another thread may set it.
                            if (reason != null) {
                                free(results, free, reason);
                            }
                            all.end(() -> results, reason);
                        });
        return all;
    }

    private static <T> List<T> results(List<ReadFuture<T>> reads) {
        return reads.stream()
                .filter(read -> read.state() == Future.State.SUCCESS)
                .map(CompletableFuture::resultNow)
                .toList();
    }

    private static <T> void free(List<T> results, Consumer<T> free, Throwable failure) {
        for (T result : results) {
            try {
                free.accept(result);
            } catch (RuntimeException | Error e) { // Continue, so that the other results are freed.
                failure.addSuppressed(e);
            }
        }
    }
}
