package io.zarrengine.zarr.loader;

import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * A batch that could not be started.
 *
 * @param failure the reason
 * @param <T> the type of a tensor
 */
record FailedBatch<T>(Throwable failure) implements BatchSource.Pending<T> {
    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public Map<String, T> await() throws ExecutionException {
        throw new ExecutionException(failure);
    }

    @Override
    public void cancel() {
        // Nothing is under way.
    }

    @Override
    public void release() {
        // There are no tensors.
    }
}
