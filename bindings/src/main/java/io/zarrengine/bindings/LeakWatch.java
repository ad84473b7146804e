package io.zarrengine.bindings;

import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Frees an object that was not closed, once the garbage collector finds it unreachable, and logs
 * that: once per process, or for each object with {@code -Dio.zarrengine.leaks=on}, which also logs
 * the stack trace of its creation.
 *
 * <p>Owner: the watched object. Threads: any.
 */
public final class LeakWatch {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine");
    private static final String PROPERTY = "io.zarrengine.leaks";
    private static final boolean TRACES = System.getProperty(PROPERTY, "off").equals("on");
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicBoolean IS_TOLD = new AtomicBoolean();

    private final Object watched;
    private final Leak leak;
    private final Cleaner.Cleanable cleanable;

    private LeakWatch(Object watched, Leak leak) {
        this.watched = watched;
        this.leak = leak;
        this.cleanable = CLEANER.register(watched, leak);
    }

    /** Action for a leak. It must not refer to the watched object. */
    private static final class Leak implements Runnable {
        private final Runnable free;
        private final Supplier<String> what;
        private final Throwable made; // null if not traced
        private final AtomicBoolean isEnded = new AtomicBoolean();

        Leak(Runnable free, Supplier<String> what) {
            this.free = free;
            this.what = what;
            this.made = TRACES ? new Throwable("made here") : null;
        }

        @Override
        public void run() {
            if (isEnded.getAndSet(true)) {
                return;
            }
            try {
                free.run();
            } finally {
                tell();
            }
        }

        private void tell() {
            if (TRACES || !IS_TOLD.getAndSet(true)) {
                String hint =
                        TRACES
                                ? ""
                                : "; this is said once: -D"
                                        + PROPERTY
                                        + "=on names each, and where it was made";
                String message = what.get() + " was not closed: the collector found it" + hint;
                LOGGER.log(Level.WARNING, message, made);
            }
        }
    }

    /**
     * Watches an object.
     *
     * @param watched counts as leaked when it is unreachable
     * @param free frees its resources, on a thread of the garbage collector; must not refer to the
     *     object
     * @param what names the object in the message; must not refer to it either
     * @return the watch, which closing the object ends
     */
    public static LeakWatch of(Object watched, Runnable free, Supplier<String> what) {
        return new LeakWatch(watched, new Leak(free, what));
    }

    /** {@return whether each leak is logged; then each object should be watched by itself} */
    public static boolean traces() {
        return TRACES;
    }

    /**
     * Runs the garbage collector if {@linkplain #traces each leak is logged}, so that closing an
     * engine logs what was not closed.
     */
    public static void lookIfTracing() {
        if (TRACES) {
            System.gc();
        }
    }

    /** Ends the watch because the object was closed. */
    public void end() {
        try {
            leak.isEnded.set(true);
            cleanable.clean(); // ends the watch
        } finally {
            Reference.reachabilityFence(watched);
        }
    }
}
