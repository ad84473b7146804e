package io.zarrengine.uring.reading;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A step of a read that runs on a thread of its own: its last one, or its end at a deadline. If the
 * heap is full when it is to begin, or while it runs, it is tried again until there is memory.
 *
 * <p>Threads: any.
 */
public final class SureCompletion extends Notifier.Pending {
    private static Notifier shared; // null before the first use; guarded by the class

    private final Runnable action;
    private final CompletionAttempts attempts;
    private final Notifier notifier = notifier();
    private final AtomicBoolean hasBegun = new AtomicBoolean();
    private final Runnable attempt = this::run; // allocated now: memory may run out later

    /**
     * Prepares a step; {@link #start} begins it.
     *
     * @param action is repeated if it throws an {@link OutOfMemoryError}
     */
    public SureCompletion(Runnable action) {
        this(action, new CompletionAttempts());
    }

    private SureCompletion(Runnable action, CompletionAttempts attempts) {
        this.action = action;
        this.attempts = attempts;
    }

    /** {@return a step whose first thread {@code starter} starts} */
    static SureCompletion startedBy(Executor starter, Runnable action) {
        return new SureCompletion(action, new CompletionAttempts(starter));
    }

    private static synchronized Notifier notifier() {
        if (shared == null) {
            Notifier made = new Notifier(() -> true);
            Thread.ofPlatform().daemon().name("zarr-engine-completion-notifier").start(made);
            shared = made;
        }
        return shared;
    }

    /** Begins the step. Never throws. */
    public void start() {
        try {
            attempts.next(attempt);
        } catch (RuntimeException | Error e) { // No memory, in whatever words.
        }
        notifier.add(this);
    }

    @Override
    public boolean tellAgain() {
        if (!hasBegun.get()) {
            attempts.next(attempt);
        }
        return hasBegun.get();
    }

    private void run() {
        if (!hasBegun.compareAndSet(false, true)) {
            return;
        }
        try {
            action.run();
        } catch (OutOfMemoryError e) {
            attempts.failed();
            hasBegun.set(false);
            notifier.add(this);
        }
    }
}
