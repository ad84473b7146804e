package io.zarrengine.zarr;

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

/** Futures of reads to devices. */
final class DeviceReadFutures {
    private DeviceReadFutures() {}

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
                        .filter(read -> read.state() == Future.State.SUCCESS)
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
}
