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
 * Reads slices of an array in order, step by step, some of them ahead of the caller. A loader makes
 * one pass; {@link Slices#shuffled} repeats the slices without end.
 *
 * <pre>{@code
 * try (SliceLoader<HostTensor> loader = array.loader(slices, LoaderOptions.prefetch(4).batch(32))) {
 *     for (HostTensor batch : loader) {
 *         train(batch); // valid until the next one is taken
 *     }
 * }
 * }</pre>
 *
 * <p>A tensor is closed when the next one is taken, unless the caller has closed it. Before that,
 * the caller must wait for all work that it has queued on a GPU with the tensor's memory. The
 * memory of a {@link HostTensor} is reused: until the loader is closed, a segment that the caller
 * has kept shows the elements of a later step.
 *
 * <p>At any time there are as many tensors as steps are read ahead, and one more. Host tensors take
 * memory outside the engine's budget, each as much as the largest step. GPU tensors must fit in the
 * GPU's budget.
 *
 * <p>Owner: the caller that made it. Threads: one at a time; to end a loop from another thread,
 * interrupt it.
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
    private T current; // null: the caller has none
    private boolean hasFirstFailed; // the first read ahead failed, and the caller got its exception
    private boolean isClosed;

    /**
     * Starts reading. {@code release} closes a tensor; {@code freeMemory} frees the memory of all.
     */
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
     * {@return an iterator over the remaining steps; all iterators of a loader share its position}
     *
     * <p>A tensor has the shape of its step's slice. A batch has the shape {@code (slices, shape of
     * a slice)}, or {@code (elements)} if the slices have different shapes. The last batch may have
     * fewer slices. {@link Iterator#next} closes the previous tensor, and waits. If it throws, the
     * step remains the next one: it is read again, or {@linkplain #skip skipped}. It throws
     *
     * <ul>
     *   <li>the exceptions of {@link ZarrArray#read(Selection)}, or for a GPU those of {@link
     *       ZarrArray#readAsync(Selection, Target)}, if the step cannot be read, and any exception
     *       of the slices;
     *   <li>{@link CancellationException} if the calling thread is interrupted;
     *   <li>{@link IllegalStateException} if the loader is closed;
     *   <li>{@link NoSuchElementException} if there are no more.
     * </ul>
     *
     * @throws IllegalStateException if all steps were handed over: another pass needs another
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
     * {@return the step that is handed over next; a later loader can resume there, {@link
     * LoaderOptions#from}}
     */
    public long nextStep() {
        return nextStep;
    }

    /**
     * Skips the next step, for example one that cannot be read.
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
        } catch (CancellationException e) { // thrown by the slices
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

    /** Starts reads until {@code reads} are under way, or all remaining steps are. */
    private void readAhead(long reads) {
        while (ahead.size() < reads && ahead.size() < steps - nextStep) {
            ahead.addLast(start(nextStep + ahead.size()));
        }
    }

    /** Starts to read a step. A failure is thrown when the caller takes the step. */
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

    /** Refuses a slice that the array refuses, and names the slice in the message. */
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

    /** Waits until no worker writes to the tensor, and closes it. */
    private void releaseResult(CompletableFuture<T> read) {
        T tensor = read.exceptionally(failure -> null).join();
        if (tensor != null) {
            release.accept(tensor);
        }
    }

    /**
     * Cancels the reads ahead, and closes the tensor that was handed over last.
     *
     * @throws IllegalStateException if a native call uses the memory of a tensor; this may be
     *     called again
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
