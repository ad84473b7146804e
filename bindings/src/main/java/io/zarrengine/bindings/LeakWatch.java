package io.zarrengine.bindings;

import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Frees what somebody forgot to close, when the collector finds that nobody can use it any more,
 * and says so: once in a process, or each time with {@code -Dio.zarrengine.leaks=on}, and then also
 * where it was made.
 *
 * <p>Owner: what it watches. Threads: any.
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

    /** What is done about it. It must not lead to what is watched. */
    private static final class Leak implements Runnable {
        private final Runnable free;
        private final Supplier<String> what;
        private final Throwable made; // null: not traced
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
     * Watches something.
     *
     * @param watched when nobody can use it any more, it was forgotten
     * @param free frees what it stands for, on a thread of the collector's; does not lead to it
     * @param what it is, for the message; does not lead to it either
     * @return to be ended by who closes it
     */
    public static LeakWatch of(Object watched, Runnable free, Supplier<String> what) {
        return new LeakWatch(watched, new Leak(free, what));
    }

    /** {@return whether each leak is named: then everything should be watched by itself} */
    public static boolean traces() {
        return TRACES;
    }

    /**
     * Where {@linkplain #traces each leak is named}: has the collector look now. Who closes an
     * engine learns what was forgotten.
     */
    public static void lookIfTracing() {
        if (TRACES) {
            System.gc();
        }
    }

    /** It was closed. */
    public void end() {
        try {
            leak.isEnded.set(true);
            cleanable.clean(); // Not watched any more.
        } finally {
            Reference.reachabilityFence(watched);
        }
    }
}
