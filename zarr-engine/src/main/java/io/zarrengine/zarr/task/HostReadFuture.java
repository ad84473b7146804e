package io.zarrengine.zarr.task;

import io.zarrengine.uring.reading.CompletionAttempts;
import io.zarrengine.uring.reading.ReadFuture;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The future of a read to the host. A thread that waits for it is woken by the worker and completes
 * the future itself, which saves waking another thread. Dependent stages run on a virtual thread.
 * If no thread waits and no stage depends on the future yet, it is completed a little later on a
 * virtual thread. Usually a thread waits by then.
 *
 * <p>Some ways to depend on the future are seen only when the read ends ({@link
 * CompletableFuture#allOf}). If they come after that, the future completes a little later.
 */
public final class HostReadFuture<T> extends ReadFuture<T> {
    private static final VarHandle WAITER;
    private static final VarHandle IS_ENDING;

    static {
        try {
            MethodHandles.Lookup own = MethodHandles.lookup();
            WAITER = own.findVarHandle(HostReadFuture.class, "waiter", Thread.class);
            IS_ENDING = own.findVarHandle(HostReadFuture.class, "isEnding", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The longest time after which a waiting thread sees that another thread completed the future.
     */
    private static final long LOOK_NANOS = 10_000_000;

    private volatile Runnable completion; // null until the read has ended
    private volatile boolean isDiscarded;
    private volatile OutOfMemoryError memoryShortage; // of the last attempt to complete, or null
    private volatile boolean isAwaited; // by more than the waiter
    private volatile boolean isEnding;
    private volatile Thread waiter; // completes the future when the read has ended

    private final ReadRequest request;
    private final CompletionAttempts attempts = new CompletionAttempts();
    // allocated now: memory may run out later
    private final BooleanSupplier attempt = this::completeElsewhere;
    private final Runnable completionAttempt = this::completeOrRetry;

    private HostReadFuture(ReadRequest request) {
        super(request::fail);
        this.request = request;
    }

    /**
     * {@return the future of a request}
     *
     * @param result called once if the request succeeds; returns the future's result
     * @param discard otherwise called once, before the future completes
     */
    public static <T> HostReadFuture<T> of(
            ReadRequest request, Supplier<T> result, Runnable discard) {
        HostReadFuture<T> future = new HostReadFuture<>(request);
        // Allocated now, because memory may run out later.
        Runnable completion = () -> future.endOnce(result, discard, request.failure());
        request.whenEnded(failure -> {
            try {
                if (failure != null) {
                    future.isDiscarded = true;
                    discard.run();
                }
            } finally {
                future.readEnded(completion);
            }
        });
        return future;
    }

    /**
     * Completes the future once. A waiting thread and a virtual thread started earlier may both
     * call this. If the read was cancelled after it had ended, its result is discarded. If there is
     * no memory to complete the future, this happens later, and the read has failed.
     */
    private void endOnce(Supplier<T> result, Runnable discard, Throwable failure) {
        if (!isEnding && IS_ENDING.compareAndSet(this, false, true)) {
            try {
                Throwable cause = failure == null ? memoryShortage : failure;
                if (cause != null && !isDiscarded && !isDone()) {
                    discard.run();
                    isDiscarded = true;
                }
                end(result, cause);
                memoryShortage = null;
            } catch (OutOfMemoryError e) {
                memoryShortage = e;
                isEnding = false;
                attempts.failed();
                request.tellLater(attempt);
            } catch (RuntimeException | Error e) { // What discards may refuse to do it again.
                end(result, memoryShortage == null ? e : memoryShortage);
            }
        }
    }

    private void readEnded(Runnable newCompletion) {
        completion = newCompletion;
        // Read after the completion is set, so that this thread or the waiter sees the other.
        Thread waits = waiter;
        if (waits != null) {
            LockSupport.unpark(waits);
        } else if (isAsked() || !WorkerThread.tellLater(completionAttempt)) {
            completeOrRetry();
        }
    }

    /**
     * Completes the future elsewhere. A full heap may refuse a thread, or lose one that was started
     * without a word, so the notifier tries again until the future is complete. Never throws,
     * because the caller could not report it.
     */
    private void completeOrRetry() {
        boolean isComplete = false;
        try {
            isComplete = completeElsewhere();
        } catch (RuntimeException | Error e) { // No memory, in whatever words.
        }
        if (!isComplete) {
            request.tellLater(attempt);
        }
    }

    private boolean isAsked() {
        return isAwaited || getNumberOfDependents() > 0;
    }

    /**
     * Starts a thread that completes the future, unless one may be about to; returns whether it is
     * complete already. After a shortage of memory it may be done and some stages may not know.
     */
    private boolean completeElsewhere() {
        boolean isComplete = isDone() && memoryShortage == null;
        if (!isComplete) {
            attempts.next(completion);
        }
        return isComplete;
    }

    private void tellAgain() {
        try {
            request.tellAgain();
        } catch (RuntimeException
                | Error e) { // No memory, in whatever words: the notifier does it.
        }
    }

    /** Notes that a thread waits in another way, or that a stage depends on the future. */
    private void awaited() {
        isAwaited = true;
        tellAgain();
        if (completion != null) {
            completeOrRetry();
        }
    }

    /**
     * Waits until the future can be completed, and completes it. Leaves that to a virtual thread if
     * other stages depend on the future, because this thread must not run them.
     */
    private void await() {
        Thread thread = Thread.currentThread();
        boolean wakesCheaply = !thread.isVirtual() && !(thread instanceof ForkJoinWorkerThread);
        if (!wakesCheaply || !WAITER.compareAndSet(this, null, thread)) {
            awaited();
            return;
        }
        while (completion == null && !isDone() && !thread.isInterrupted()) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            tellAgain();
        }
        waiter = null;
        if (completion == null || isAsked()) {
            awaited();
        } else {
            completion.run();
        }
    }

    @Override
    public T join() {
        if (!isDone()) {
            await();
        }
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        if (!isDone()) {
            await();
        }
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        awaited();
        return super.get(timeout, unit);
    }

    /** Called before any stage is made to depend on this future. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        awaited();
        return super.newIncompleteFuture();
    }

    /** Called before another stage is combined with this one. */
    @Override
    public CompletableFuture<T> toCompletableFuture() {
        awaited();
        return this;
    }
}
