package io.zarrengine.zarr;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads slices of an array in order, step by step, some of them ahead of whoever takes them.
 *
 * <pre>{@code
 * try (SliceLoader<HostTensor> loader = array.loader(slices, LoaderOptions.prefetch(4).batch(32))) {
 *     for (HostTensor batch : loader) {
 *         train(batch); // it is the loader's: valid until the next one is taken
 *     }
 * }
 * }</pre>
 *
 * <p>A tensor is closed when the next one is taken, if it was not before: until then, whatever the
 * caller has queued on a GPU with its memory must be done. A {@link HostTensor}'s memory is used
 * again: so nobody keeps its segment. There are as many tensors at a time as steps are read ahead,
 * and one more: a GPU's budget has to hold them.
 *
 * <p>Owner: who made it. Threads: one at a time.
 *
 * @param <T> {@link HostTensor} or {@link DeviceTensor}
 */
public final class SliceLoader<T> implements Iterable<T>, AutoCloseable {
    private final ZarrArray array;
    private final Slices slices;
    private final LoaderOptions options;
    private final Function<SelectedElements, CompletableFuture<T>> read;
    private final Consumer<T> release;
    private final Runnable freeMemory;
    private final long steps;
    private final Deque<CompletableFuture<T>> ahead = new ArrayDeque<>(); // from the next step on
    private long nextStep;
    private T current; // null: nobody has one
    private boolean isClosed;

    /** {@code release}: closes a tensor; {@code freeMemory}: of all. Starts reading. */
    SliceLoader(
            ZarrArray array,
            Slices slices,
            LoaderOptions options,
            Function<SelectedElements, CompletableFuture<T>> read,
            Consumer<T> release,
            Runnable freeMemory) {
        this.array = array;
        this.slices = slices;
        this.options = options;
        this.read = read;
        this.release = release;
        this.freeMemory = freeMemory;
        this.steps = Math.ceilDiv(slices.count(), Math.max(1, options.batch()));
        this.nextStep = options.firstStep();
        readAhead(options.prefetch());
    }

    /**
     * {@return what hands over the steps that are left; all iterators of a loader go on where the
     * others are}
     *
     * <p>A tensor has the shape of its step's slice; of a batch {@code (slices, shape of a slice)},
     * or {@code (elements)} if the slices have different shapes. The last batch may have fewer
     * slices. {@link Iterator#next} closes the tensor before, waits, and throws
     *
     * <ul>
     *   <li>what {@link ZarrArray#read(Selection)} throws, if the step cannot be read: the loader
     *       goes on with the one behind it;
     *   <li>{@link CancellationException} if the calling thread is interrupted: the step is still
     *       the next one;
     *   <li>{@link IllegalStateException} if the loader is closed;
     *   <li>{@link NoSuchElementException} if there are no more.
     * </ul>
     */
    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return nextStep < steps;
            }

            @Override
            public T next() {
                return take();
            }
        };
    }

    /**
     * {@return the step that is handed over next: where to go on another time, {@link
     * LoaderOptions#from}}
     */
    public long nextStep() {
        return nextStep;
    }

    private T take() {
        if (isClosed) {
            throw new IllegalStateException("the loader is closed");
        }
        if (nextStep >= steps) {
            throw new NoSuchElementException("there are " + steps + " steps");
        }
        releaseCurrent();
        readAhead(1L + options.prefetch());
        try {
            current = ahead.getFirst().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted").initCause(e);
        } catch (ExecutionException e) {
            pass();
            throw unchecked(e.getCause());
        } catch (CancellationException e) { // of the slices
            pass();
            throw e;
        }
        pass();
        return current;
    }

    /** Goes on to the step behind. */
    private void pass() {
        ahead.removeFirst();
        nextStep++;
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure; // Reads fail unchecked.
    }

    /** Has so many reads under way, or all that there are. */
    private void readAhead(long reads) {
        while (ahead.size() < reads && ahead.size() < steps - nextStep) {
            ahead.addLast(start(nextStep + ahead.size()));
        }
    }

    /** What cannot be read is said when it is wanted. */
    private CompletableFuture<T> start(long step) {
        try {
            return read.apply(elements(step));
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private SelectedElements elements(long step) {
        if (options.batch() == 0) {
            return array.select(slices.get(step));
        }
        long begin = step * options.batch();
        long count = Math.min(options.batch(), slices.count() - begin);
        List<Selection> together = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            together.add(slices.get(begin + i));
        }
        return array.select(together);
    }

    private void releaseCurrent() {
        T tensor = current;
        current = null;
        if (tensor != null) {
            release.accept(tensor);
        }
    }

    /** Gives up what is read ahead, and closes the tensor that was handed over last. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        ahead.forEach(read -> read.cancel(true));
        releaseCurrent();
        while (!ahead.isEmpty()) {
            T tensor = ahead.removeFirst().exceptionally(failure -> null).join();
            if (tensor != null) {
                release.accept(tensor);
            }
        }
        freeMemory.run();
    }
}
