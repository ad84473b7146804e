package io.zarrengine.zarr;

import io.zarrengine.zarr.selection.SelectedElements;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads slices of an array in order, step by step, some of them ahead of whoever takes them. It is
 * one pass; for several, {@link Slices#shuffled} goes on without end.
 *
 * <pre>{@code
 * try (SliceLoader<HostTensor> loader = array.loader(slices, LoaderOptions.prefetch(4).batch(32))) {
 *     for (HostTensor batch : loader) {
 *         train(batch); // valid until the next one is taken
 *     }
 * }
 * }</pre>
 *
 * <p>A tensor is closed when the next one is taken, if it was not before: until then, whatever the
 * caller has queued on a GPU with its memory must be done. The memory of a {@link HostTensor} is
 * used again: a segment that somebody has kept of it shows the elements of a later step, until the
 * loader is closed.
 *
 * <p>There are as many tensors at a time as steps are read ahead, and one more. Those of the host
 * take memory beside the engine's budget, each as much as the largest step; a GPU's budget has to
 * hold them.
 *
 * <p>Owner: who made it. Threads: one at a time; to end a loop from elsewhere, interrupt it.
 *
 * @param <T> {@link HostTensor} or {@link DeviceTensor}
 */
public final class SliceLoader<T> implements Iterable<T>, AutoCloseable {
    private final ArraySelector array;
    private final Slices slices;
    private final LoaderOptions options;
    private final Function<SelectedElements, CompletableFuture<T>> read;
    private final Consumer<T> release;
    private final Runnable freeMemory;
    private final long steps;
    private final Deque<CompletableFuture<T>> ahead = new ArrayDeque<>(); // from the next step on
    private long nextStep;
    private T current; // null: nobody has one
    private boolean hasFirstFailed; // the first one ahead has, and the caller knows
    private boolean isClosed;

    /** {@code release}: closes a tensor; {@code freeMemory}: of all. Starts reading. */
    SliceLoader(
            ArraySelector array,
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
        try {
            readAhead(options.prefetch());
        } catch (Throwable t) { // Allowed: rolls back a constructor
            close();
            throw t;
        }
    }

    /**
     * {@return what hands over the steps that are left; all iterators of a loader go on where the
     * others are}
     *
     * <p>A tensor has the shape of its step's slice; of a batch {@code (slices, shape of a slice)},
     * or {@code (elements)} if the slices have different shapes. The last batch may have fewer
     * slices. {@link Iterator#next} closes the tensor before, and waits. If it throws, the step is
     * still the next one: it is read again, or {@linkplain #skip passed over}. It throws
     *
     * <ul>
     *   <li>what {@link ZarrArray#read(Selection)} throws, and to a GPU {@link
     *       ZarrArray#readAsync(Selection, Target)}, if the step cannot be read, and whatever the
     *       slices throw;
     *   <li>{@link CancellationException} if the calling thread is interrupted;
     *   <li>{@link IllegalStateException} if the loader is closed;
     *   <li>{@link NoSuchElementException} if there are no more.
     * </ul>
     *
     * @throws IllegalStateException if all steps were handed over: another pass takes another
     *     loader
     */
    @Override
    public Iterator<T> iterator() {
        if (nextStep >= steps && nextStep > options.firstStep()) {
            throw new IllegalStateException("all steps were handed over: a loader is one pass");
        }
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

    /**
     * Passes over the next step, one that cannot be read for example.
     *
     * @throws NoSuchElementException if there are no more
     */
    public void skip() {
        refuseIfAtEnd();
        if (!ahead.isEmpty()) {
            ahead.getFirst().cancel(true);
            releaseResult(ahead.getFirst());
            ahead.removeFirst();
        }
        hasFirstFailed = false;
        nextStep++;
    }

    private void refuseIfAtEnd() {
        if (nextStep >= steps) {
            throw new NoSuchElementException(
                    "the loader has no step " + nextStep + ": it has " + steps);
        }
    }

    private T take() {
        if (isClosed) {
            throw new IllegalStateException("the loader is closed");
        }
        refuseIfAtEnd();
        releaseCurrent();
        if (hasFirstFailed) {
            ahead.removeFirst();
            ahead.addFirst(start(nextStep));
            hasFirstFailed = false;
        }
        readAhead(1L + options.prefetch());
        try {
            current = ahead.getFirst().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted").initCause(e);
        } catch (ExecutionException e) {
            hasFirstFailed = true;
            throw unchecked(e.getCause());
        } catch (CancellationException e) { // of the slices
            hasFirstFailed = true;
            throw e;
        }
        ahead.removeFirst();
        nextStep++;
        return current;
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
        int batch = Math.max(1, options.batch());
        long begin = step * batch;
        long end = begin + Math.min(batch, slices.count() - begin);
        List<Selection> together = new ArrayList<>();
        for (long i = begin; i < end; i++) {
            together.add(slice(i));
        }
        try {
            return options.batch() == 0
                    ? array.select(together.getFirst())
                    : array.select(together);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            for (int i = 0; i < together.size(); i++) {
                check(begin + i, together.get(i));
            }
            throw e;
        }
    }

    private Selection slice(long number) {
        return Objects.requireNonNull(slices.get(number), () -> name(number) + " is null");
    }

    private String name(long number) {
        return "slice " + number + " of " + array.path();
    }

    /** Refuses a slice as the array does, by name. */
    private void check(long number, Selection slice) {
        try {
            array.resolve(slice);
        } catch (IndexOutOfBoundsException e) {
            String message = name(number) + ": " + e.getMessage();
            throw (IndexOutOfBoundsException) new IndexOutOfBoundsException(message).initCause(e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name(number) + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "loader of %s, step %d of %d".formatted(array, nextStep(), steps);
    }

    private void releaseCurrent() {
        if (current != null) {
            release.accept(current);
            current = null;
        }
    }

    /** Waits until nobody writes to it any more. */
    private void releaseResult(CompletableFuture<T> read) {
        T tensor = read.exceptionally(failure -> null).join();
        if (tensor != null) {
            release.accept(tensor);
        }
    }

    /**
     * Gives up what is read ahead, and closes the tensor that was handed over last.
     *
     * @throws IllegalStateException if a native call uses the memory of a tensor; it may be called
     *     again
     */
    @Override
    public void close() {
        isClosed = true;
        ahead.forEach(read -> read.cancel(true));
        releaseCurrent();
        while (!ahead.isEmpty()) {
            releaseResult(ahead.getFirst());
            ahead.removeFirst();
        }
        freeMemory.run();
    }
}
