package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Delivers batches of samples in order, and reads the next ones meanwhile. A loader makes one pass
 * over its epochs.
 *
 * <pre>{@code
 * Sampler steps = Sampler.windows(u.shape(), 0, 2, 1);
 * try (Loader<HostTensor> loader = Loader.of(u, steps).shuffle(42).batch(32).open()) {
 *     for (Batch<HostTensor> batch : loader) {
 *         train(batch.tensor()); // valid until the next one is taken
 *     }
 * }
 * }</pre>
 *
 * <p>A batch is closed when the next one is taken. Before that, the caller must wait for all work
 * that it has queued on a GPU with the batch's memory, or name its streams with {@link
 * DeviceTensor#recordStream}. The memory of a {@link HostTensor} is reused: until the loader is
 * closed, a segment that the caller has kept shows the elements of a later batch.
 *
 * <p>At any time there are as many batches as are read ahead, and one more. Host tensors take
 * memory outside the engine's budget, each as much as the largest batch. GPU tensors must fit in
 * the GPU's budget, unless they lie in {@link LoaderBuilder#memory}. A batch that found no memory
 * when it was read ahead is read again when it is the next one.
 *
 * <p>Owner: the caller that made it. Threads: one at a time; to end a loop from another thread,
 * interrupt it.
 *
 * @param <T> {@link HostTensor} or {@link DeviceTensor}
 */
public final class Loader<T> implements Iterable<Batch<T>>, AutoCloseable {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Ahead<T>(StepPlan.Step step, long[] numbers, BatchSource.Pending<T> pending) {}

    private final LoaderSteps steps;
    private final BatchSource<T> source;
    private final int prefetch;
    private final Deque<Ahead<T>> ahead = new ArrayDeque<>(); // from the next step on
    private LoaderState state; // where the next step begins
    private boolean hasDelivered;
    private Batch<T> current; // null: there is none
    private boolean hasFirstFailed; // the first batch failed, and the caller got its exception
    private BatchPublisher<T> publisher; // null: batches are taken in a loop
    private volatile boolean isClosed;

    /** Starts reading. */
    Loader(LoaderSteps steps, BatchSource<T> source, int prefetch, LoaderState start) {
        this.steps = steps;
        this.source = source;
        this.prefetch = prefetch;
        this.state = start;
        try {
            readAhead(prefetch);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            close();
            throw t;
        }
    }

    /**
     * {@return a builder of a loader of one array}
     *
     * @param array the array; its tensors have the name of its folder
     * @param sampler its samples
     */
    public static LoaderBuilder of(ZarrArray array, Sampler sampler) {
        return new LoaderBuilder().add(String.valueOf(array.path().getFileName()), array, sampler);
    }

    /**
     * {@return a builder of a loader of several arrays, which reads the same samples of each}
     *
     * @param arrays the arrays by the names of their tensors
     * @param sampler their samples
     */
    public static LoaderBuilder of(Map<String, ZarrArray> arrays, Sampler sampler) {
        LoaderBuilder builder = new LoaderBuilder();
        arrays.forEach((name, array) -> builder.add(name, array, sampler));
        return builder;
    }

    /**
     * {@return an iterator over the remaining batches; all iterators of a loader share its
     * position}
     *
     * <p>{@link Iterator#next} closes the previous batch, and waits. If it throws, the step remains
     * the next one: it is read again, or {@linkplain #skip skipped}. It throws
     *
     * <ul>
     *   <li>the exceptions of {@link ZarrArray#read(Selection)} if a sample cannot be read, and any
     *       exception of a sampler;
     *   <li>{@link CancellationException} if the calling thread is interrupted, also if the batch
     *       is ready;
     *   <li>{@link IllegalStateException} if the loader is closed;
     *   <li>{@link NoSuchElementException} if there are no more.
     * </ul>
     *
     * @throws IllegalStateException if all batches were handed over: another pass needs another
     *     loader; or if the loader has a subscriber
     */
    @Override
    public Iterator<Batch<T>> iterator() {
        refuseIfPublished();
        if (hasDelivered && !hasNext()) {
            throw new IllegalStateException("all batches were handed over: a loader is one pass");
        }
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return Loader.this.hasNext();
            }

            @Override
            public Batch<T> next() {
                current = take(() -> {});
                return current;
            }
        };
    }

    /**
     * {@return the remaining batches as a sequential stream} Each batch is closed when the next one
     * is taken, so operations that keep batches, such as {@code sorted}, must copy them. Closing
     * the stream closes the loader.
     *
     * @throws IllegalStateException as {@link #iterator}
     */
    public Stream<Batch<T>> stream() {
        int traits = Spliterator.ORDERED | Spliterator.NONNULL;
        Spliterator<Batch<T>> batches = Spliterators.spliteratorUnknownSize(iterator(), traits);
        return StreamSupport.stream(batches, false).onClose(this::close);
    }

    /**
     * {@return the remaining batches for one subscriber} A thread of the loader delivers them. The
     * subscriber closes each batch; while it has {@code openMax} open batches, it gets no further
     * one, whatever it has requested. From now on the loader belongs to the publisher, which closes
     * it when the subscription ends.
     *
     * @param openMax the most batches that the subscriber has open at a time
     * @throws IllegalArgumentException if the number is not positive
     * @throws IllegalStateException if the loader already has a publisher
     */
    public Flow.Publisher<Batch<T>> publisher(int openMax) {
        refuseIfPublished();
        releaseCurrent();
        publisher = new BatchPublisher<>(this, openMax);
        return publisher;
    }

    private void refuseIfPublished() {
        if (publisher != null) {
            throw new IllegalStateException("the loader belongs to its publisher");
        }
    }

    /** {@return the position from which a later loader continues, {@link LoaderBuilder#from}} */
    public LoaderState state() {
        return state;
    }

    /**
     * Skips the next step, for example one that cannot be read.
     *
     * @throws NoSuchElementException if there are no more
     */
    public void skip() {
        StepPlan.Step step = nextStep();
        if (!ahead.isEmpty()) {
            ahead.getFirst().pending().release();
            ahead.removeFirst();
        }
        hasFirstFailed = false;
        state = step.next();
    }

    /** {@return whether there is a further batch} */
    public boolean hasNext() {
        return steps.plan().stepAt(state).isPresent();
    }

    /** {@return whether the next batch was read ahead, so that {@link #take} does not wait} */
    public boolean isReady() {
        return !ahead.isEmpty() && ahead.getFirst().pending().isDone();
    }

    private StepPlan.Step nextStep() {
        return steps.plan()
                .stepAt(state)
                .orElseThrow(() -> new NoSuchElementException("the loader has no more batches"));
    }

    /**
     * {@return the next batch, which the caller closes; waits} Unlike the batches of {@link
     * #iterator}, several may be open at a time; each takes memory.
     *
     * @throws NoSuchElementException if there are no more
     * @throws IllegalStateException if the loader is closed, or has a subscriber
     * @throws CancellationException if the calling thread is interrupted; the step remains the next
     */
    public Batch<T> take() {
        refuseIfPublished();
        return take(() -> {});
    }

    /** {@return the next batch; waits} Closing the batch also runs {@code onClose}. */
    Batch<T> take(Runnable onClose) {
        if (isClosed) {
            throw new IllegalStateException("the loader is closed");
        }
        StepPlan.Step step = nextStep();
        releaseCurrent();
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
        boolean isNew = ahead.isEmpty() || hasFirstFailed;
        if (hasFirstFailed) {
            ahead.getFirst().pending().release();
            ahead.removeFirst();
            ahead.addFirst(start(step));
            hasFirstFailed = false;
        }
        Map<String, T> tensors = awaitFirst(isNew);
        Ahead<T> first = ahead.removeFirst();
        state = step.next();
        hasDelivered = true;
        return new Batch<>(tensors, first.numbers(), step, source::release, onClose);
    }

    /**
     * Waits for the first batch. If it lacks memory, those after it are given up, which may have
     * taken it; and if it was read ahead, when other batches were in use, it is read again.
     */
    private Map<String, T> awaitFirst(boolean isNew) {
        readAhead(1L + prefetch);
        try {
            return await(ahead.getFirst());
        } catch (OutOfMemoryException | BudgetExceededException e) {
            hasFirstFailed = false;
            releaseAhead();
            if (isNew) {
                throw e;
            }
        }
        return awaitFirst(true);
    }

    private Map<String, T> await(Ahead<T> first) {
        try {
            return first.pending().await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted").initCause(e);
        } catch (ExecutionException e) {
            hasFirstFailed = true;
            throw unchecked(e.getCause());
        } catch (CancellationException e) { // thrown by the caller's allocator
            hasFirstFailed = true;
            throw e;
        }
    }

    private static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure; // Reads fail unchecked.
    }

    /** Starts batches until {@code count} are under way, or all remaining ones are. */
    private void readAhead(long count) {
        while (ahead.size() < count) {
            LoaderState end = ahead.isEmpty() ? state : ahead.getLast().step().next();
            Optional<StepPlan.Step> step = steps.plan().stepAt(end);
            if (step.isEmpty()) {
                return;
            }
            ahead.addLast(start(step.get()));
        }
    }

    /** Starts a batch. A failure is thrown when the caller takes it. */
    private Ahead<T> start(StepPlan.Step step) {
        try {
            long[] numbers = steps.numbers(step);
            Samples samples = Samples.of(steps.variables(), numbers);
            return new Ahead<>(step, numbers, source.start(samples));
        } catch (RuntimeException | Error e) {
            return new Ahead<>(step, new long[0], new FailedBatch<>(e));
        }
    }

    private void releaseCurrent() {
        if (current != null) {
            current.close();
            current = null;
        }
    }

    /**
     * Cancels what is under way, and closes the batch that was handed over last. Ends the
     * subscription of a publisher.
     *
     * @throws IllegalStateException if a native call uses the memory of a tensor; this may be
     *     called again
     */
    @Override
    public void close() {
        if (publisher != null) {
            publisher.end();
        }
        isClosed = true;
        ahead.forEach(each -> each.pending().cancel());
        releaseCurrent();
        releaseAhead();
        source.close();
    }

    private void releaseAhead() {
        ahead.forEach(each -> each.pending().cancel()); // all at once, before waiting
        while (!ahead.isEmpty()) {
            ahead.getFirst().pending().release();
            ahead.removeFirst();
        }
    }

    @Override
    public String toString() {
        return "loader of %s, epoch %d, sample %d".formatted(steps, state.epoch(), state.sample());
    }
}
