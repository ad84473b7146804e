package io.zarrengine.zarr.loader;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A batch that is computed from another one, once that is read.
 *
 * @param <T> the type of a tensor
 */
abstract class TransformedBatch<T> implements BatchSource.Pending<T>, Runnable {
    private final BatchSource.Pending<T> read;
    private final Consumer<T> closeTensor;
    private final CompletableFuture<Map<String, T>> done = new CompletableFuture<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** {@code closeTensor}: closes a tensor unless it is already closed. */
    TransformedBatch(BatchSource.Pending<T> read, Consumer<T> closeTensor) {
        this.read = read;
        this.closeTensor = closeTensor;
    }

    /** Begins to compute; {@code thread} runs it. If it refuses, what is read is given up. */
    final void start(Executor thread) {
        try {
            thread.execute(this);
        } catch (RuntimeException | Error e) {
            read.release();
            throw e;
        }
    }

    /**
     * Computes the tensors, as long as it has not failed.
     *
     * @param tensors the tensors that were read
     * @param results receives what is computed, also if it fails
     */
    abstract void compute(Map<String, T> tensors, Map<String, T> results);

    final void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    final boolean hasFailed() {
        return failure.get() != null;
    }

    @Override
    public final void run() {
        Map<String, T> results = new LinkedHashMap<>();
        try {
            compute(read.await(), results);
        } catch (ExecutionException e) {
            failed(e.getCause());
        } catch (InterruptedException e) {
            failed(new CancellationException("interrupted"));
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        try {
            read.release();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        Throwable failed = failure.get(); // once: it may be cancelled now
        if (failed == null) {
            done.complete(results);
        } else {
            results.values().forEach(closeTensor);
            done.completeExceptionally(failed);
        }
    }

    @Override
    public final boolean isDone() {
        return done.isDone();
    }

    @Override
    public final Map<String, T> await() throws InterruptedException, ExecutionException {
        return done.get();
    }

    @Override
    public final void cancel() {
        failed(new CancellationException("cancelled"));
        read.cancel();
    }

    @Override
    public final void release() {
        cancel();
        Map<String, T> results = done.exceptionally(e -> null).join();
        if (results != null) {
            results.values().forEach(closeTensor);
        }
    }
}
