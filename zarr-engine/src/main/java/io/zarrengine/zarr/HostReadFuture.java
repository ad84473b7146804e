package io.zarrengine.zarr;

import io.zarrengine.uring.reading.ReadFuture;
import io.zarrengine.zarr.task.ReadRequest;
import io.zarrengine.zarr.task.WorkerThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A read to the host. Who waits for it is woken by the worker and completes it, so that no other
 * thread has to wake up for that. What is hung on it runs on a virtual thread. If nobody has asked
 * for it yet, it is completed there too, a little later: mostly somebody has asked by then.
 *
 * <p>Some ways to ask for it are seen only when the read ends ({@link CompletableFuture#allOf}),
 * and not if they come after that: then it completes a little later.
 */
final class HostReadFuture<T> extends ReadFuture<T> {
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

    /** How soon a waiter sees that somebody else has completed the future. */
    private static final long LOOK_NANOS = 10_000_000;

    private volatile Runnable completion; // null until the read has ended
    private boolean isDiscarded; // before the completion was there
    private volatile boolean isAwaited; // by more than the waiter
    private volatile boolean isEnding;
    private volatile Thread waiter; // completes the future when the read has ended

    private HostReadFuture(ReadRequest request) {
        super(request::fail);
    }

    /**
     * {@return the future of a request}
     *
     * @param result asked once, if the request ends well, for what the future completes with
     * @param discard else runs once, before anybody is told of that
     */
    static <T> HostReadFuture<T> of(ReadRequest request, Supplier<T> result, Runnable discard) {
        HostReadFuture<T> future = new HostReadFuture<>(request);
        Runnable completion =
                () -> future.endOnce(result, discard, request.failure()); // While there is room.
        request.whenEnded(failure -> {
            try {
                if (failure != null && !future.isDiscarded) {
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
     * Who waits, and a thread that was started before, may both come here. The read may have been
     * given up since it ended: then nobody gets its result. Tries again until there is memory to
     * complete the future.
     */
    private void endOnce(Supplier<T> result, Runnable discard, Throwable failure) {
        if (!isEnding && IS_ENDING.compareAndSet(this, false, true)) {
            try {
                if (failure != null && !isDiscarded) {
                    discard.run();
                }
            } finally {
                complete(result, failure);
            }
        }
    }

    private void complete(Supplier<T> result, Throwable failure) {
        Throwable cause = failure;
        while (!isDone()) {
            try {
                end(result, cause);
            } catch (OutOfMemoryError e) {
                cause = cause == null ? e : cause;
            }
        }
    }

    private void readEnded(Runnable newCompletion) {
        completion = newCompletion;
        Thread waits = waiter; // Asked after the completion was set: one of both sees the other.
        if (waits != null) {
            LockSupport.unpark(waits);
        } else if (isAsked() || !WorkerThread.putOff(this::completeElsewhere)) {
            completeElsewhere();
        }
    }

    private boolean isAsked() {
        return isAwaited || getNumberOfDependents() > 0;
    }

    private void completeElsewhere() {
        if (!isDone()) {
            Thread.startVirtualThread(completion);
        }
    }

    /** Somebody waits in a way of his own, or has hung something on the future. */
    private void awaited() {
        isAwaited = true;
        if (completion == null) {
            return;
        }
        try {
            completeElsewhere();
        } catch (OutOfMemoryError e) { // Nobody else may do it.
            completion.run();
        }
    }

    /**
     * Waits until the future can be completed, and completes it, but for what hangs on it: this
     * thread has other things to do.
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

    /** All that hang something on this future begin with this. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        awaited();
        return super.newIncompleteFuture();
    }

    /** Another stage that is combined with this one begins with this. */
    @Override
    public CompletableFuture<T> toCompletableFuture() {
        awaited();
        return this;
    }
}
