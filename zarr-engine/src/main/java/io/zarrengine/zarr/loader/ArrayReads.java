package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.Selection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads the batches of arrays, each array by one read.
 *
 * @param reads for each array, starts a read
 * @param closeTensor closes a tensor unless it is already closed
 * @param free frees the memory of all tensors
 * @param <T> the type of a tensor
 */
record ArrayReads<T>(
        List<Function<List<Selection>, CompletableFuture<T>>> reads,
        Consumer<T> closeTensor,
        Runnable free)
        implements BatchSource<T> {
    @Override
    public Pending<T> start(Samples samples) {
        List<CompletableFuture<T>> begun = new ArrayList<>();
        for (int i = 0; i < reads.size(); i++) {
            begun.add(begin(samples, i));
        }
        return new Reading(samples.variables(), begun);
    }

    /** Starts the read of an array. A failure is thrown when the caller waits. */
    private CompletableFuture<T> begin(Samples samples, int index) {
        try {
            try {
                return reads.get(index).apply(samples.selections().get(index));
            } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
                samples.check(index);
                throw e;
            }
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private final class Reading implements Pending<T> {
        private final List<Variable> variables;
        private final List<CompletableFuture<T>> begun;

        Reading(List<Variable> variables, List<CompletableFuture<T>> begun) {
            this.variables = variables;
            this.begun = begun;
        }

        @Override
        public boolean isDone() {
            return begun.stream().allMatch(CompletableFuture::isDone);
        }

        @Override
        public Map<String, T> await() throws InterruptedException, ExecutionException {
            Map<String, T> tensors = new LinkedHashMap<>();
            for (int i = 0; i < begun.size(); i++) {
                tensors.put(variables.get(i).name(), begun.get(i).get());
            }
            return tensors;
        }

        @Override
        public void cancel() {
            begun.forEach(read -> read.cancel(true));
        }

        @Override
        public void release() {
            cancel();
            for (CompletableFuture<T> read : begun) {
                T tensor = read.exceptionally(failure -> null).join();
                if (tensor != null) {
                    closeTensor.accept(tensor);
                }
            }
        }
    }

    @Override
    public void release(T tensor) {
        closeTensor.accept(tensor);
    }

    @Override
    public void close() {
        free.run();
    }
}
