package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import java.util.Collections;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/**
 * The tensors of one step, by name. The first dimension of each counts the samples: {@code
 * (samples, shape of a sample)}; or a tensor is {@code (elements)}, if its samples have different
 * shapes.
 *
 * <p>Owner: the caller that received it. A loop closes it when it takes the next one; a subscriber
 * must close it. Threads: any.
 *
 * @param <T> {@link HostTensor} or {@link DeviceTensor}
 */
public final class Batch<T> implements AutoCloseable {
    private final Map<String, T> tensors;
    private final long[] samples;
    private final StepPlan.Step step;
    private final Consumer<T> release;
    private final Runnable onClose;
    private boolean isClosed; // guarded by this

    Batch(
            Map<String, T> tensors,
            long[] samples,
            StepPlan.Step step,
            Consumer<T> release,
            Runnable onClose) {
        this.tensors = Collections.unmodifiableMap(tensors);
        this.samples = samples;
        this.step = step;
        this.release = release;
        this.onClose = onClose;
    }

    /** {@return the tensors by name, in the order of the loader} */
    public Map<String, T> tensors() {
        return tensors;
    }

    /**
     * {@return a tensor}
     *
     * @param name its name
     * @throws NoSuchElementException if there is none of that name
     */
    public T get(String name) {
        T tensor = tensors.get(name);
        if (tensor == null) {
            throw new NoSuchElementException(
                    "there is no tensor " + name + ": there are " + tensors.keySet());
        }
        return tensor;
    }

    /**
     * {@return the only tensor}
     *
     * @throws IllegalStateException if there are several
     */
    public T tensor() {
        if (tensors.size() > 1) {
            throw new IllegalStateException(
                    "there are the tensors " + tensors.keySet() + ": get one by its name");
        }
        return tensors.values().iterator().next();
    }

    /** {@return the number of each sample, as the {@link Sampler} counts them} */
    public long[] samples() {
        return samples.clone();
    }

    /** {@return the number of samples, with {@link #padding}} */
    public int size() {
        return samples.length;
    }

    /** {@return how many samples at the end repeat the beginning of the epoch} */
    public int padding() {
        return step.padding();
    }

    /** {@return the number of the epoch, from 0} */
    public long epoch() {
        return step.epoch();
    }

    /** {@return the position from which a later loader continues after this batch} */
    public LoaderState next() {
        return step.next();
    }

    /**
     * Closes the tensors, so that their memory is used again. Does nothing the second time. The
     * caller must wait before for all work that it has queued on a GPU with them.
     *
     * @throws IllegalStateException if a native call uses a tensor; this may be called again
     */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            tensors.values().forEach(release);
            isClosed = true;
            onClose.run();
        }
    }

    @Override
    public String toString() {
        return "batch of " + size() + " in epoch " + epoch() + ": " + tensors;
    }
}
