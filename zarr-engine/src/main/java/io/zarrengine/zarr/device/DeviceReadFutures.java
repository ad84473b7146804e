package io.zarrengine.zarr.device;

import io.zarrengine.uring.reading.ReadFuture;
import io.zarrengine.uring.reading.SureCompletion;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Creates the futures of reads to devices. */
public final class DeviceReadFutures {
    private DeviceReadFutures() {}

    /**
     * {@return the future of one read}
     *
     * @param <T> the result of the future
     * @param reading the read
     * @param result turns the memory into the result
     */
    public static <T> ReadFuture<T> of(DeviceReading reading, Function<DeviceMemory, T> result) {
        ReadFuture<T> future = new ReadFuture<>(reading::fail);
        End<T> end = new End<>(result, (made, failure) -> future.end(() -> made, failure));
        // An ended read completes the future on this thread, because no caller waits for it yet.
        reading.whenEnded(reading.hasEnded() ? end::endHere : end::end);
        return future;
    }

    /**
     * The end of work on a device: makes the result of its memory, and completes a future. Frees
     * the memory if there is no result.
     *
     * @param <T> the result of the future
     */
    public static final class End<T> {
        private final Function<DeviceMemory, T> result;
        private final BiConsumer<T, Throwable> complete;
        private final SureCompletion completion = new SureCompletion(this::complete);
        private DeviceMemory memory;
        private Throwable failure;
        private T made;

        /**
         * Prepares the end.
         *
         * @param result turns the memory into the result
         * @param complete completes the future with a result or a failure; may be called again for
         *     lack of memory, with the same arguments
         */
        public End(Function<DeviceMemory, T> result, BiConsumer<T, Throwable> complete) {
            this.result = result;
            this.complete = complete;
        }

        /**
         * Completes the future on a thread of its own. Never throws.
         *
         * @param newMemory the result on the device; null if there is a failure
         * @param newFailure why the work failed; otherwise null
         */
        public void end(DeviceMemory newMemory, Throwable newFailure) {
            memory = newMemory;
            failure = newFailure;
            completion.start();
        }

        private void endHere(DeviceMemory newMemory, Throwable newFailure) {
            memory = newMemory;
            failure = newFailure;
            try {
                complete();
            } catch (OutOfMemoryError e) {
                completion.start();
            }
        }

        private void complete() {
            if (made == null && failure == null) {
                try {
                    made = result.apply(memory);
                } catch (RuntimeException | Error e) {
                    failure = e;
                    close(memory, e);
                }
            }
            complete.accept(made, failure);
        }

        private static void close(DeviceMemory unused, Throwable cause) {
            try {
                unused.close();
            } catch (RuntimeException | Error e) { // Without this the caller would wait forever.
                cause.addSuppressed(e);
            }
        }
    }

    /**
     * Combines reads that the caller wants all or none of. If one fails, the others are cancelled
     * and their results freed.
     *
     * @param <T> the result of each read
     * @param reads the reads
     * @param free frees a result
     * @return completes with the results, in the order of the reads
     */
    public static <T> ReadFuture<List<T>> ofAll(List<ReadFuture<T>> reads, Consumer<T> free) {
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
