package io.zarrengine.uring;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Platform threads that each wait in one system call, used instead of a ring. Virtual threads would
 * pin their carriers.
 *
 * <p>Owner: a {@link ReadBackend}. Threads: any. The capacities of the {@link PoolReadQueue}s that
 * fill its queue bound that queue.
 */
final class BlockingReadPool implements AutoCloseable {
    /**
     * Most threads of a pool. Cold reads of a disk need many reads in flight; 32 threads reached
     * 0.9 to 1.0 of a ring's throughput, at two to four times its CPU time.
     */
    static final int THREADS_MAX = 32;

    private static final long IDLE_SECONDS_MAX = 10;

    private final ThreadPoolExecutor executor;

    BlockingReadPool(Supplier<BlockingReader> newReader) {
        AtomicInteger count = new AtomicInteger();
        executor =
                new ThreadPoolExecutor(
                        THREADS_MAX,
                        THREADS_MAX,
                        IDLE_SECONDS_MAX,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> new ReaderThread(task, count.incrementAndGet(), newReader));
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs {@code task} on one of the threads, with that thread's reader.
     *
     * @throws OutOfMemoryError if the pool has no thread and cannot start one
     */
    void execute(Consumer<BlockingReader> task) {
        Runnable job = () -> task.accept(((ReaderThread) Thread.currentThread()).reader);
        try {
            executor.execute(job);
        } catch (OutOfMemoryError e) {
            if (executor.getPoolSize() == 0) {
                throw e;
            }
            executor.getQueue().add(job); // The running threads will take it.
        }
    }

    /** Ends the threads. No queue of this pool may have reads in flight. */
    @Override
    public void close() {
        executor.shutdown();
    }

    /** A thread and its reader. The reader's memory is confined to this thread. */
    private static final class ReaderThread extends Thread {
        private final Supplier<BlockingReader> newReader;
        private BlockingReader reader;

        ReaderThread(Runnable loop, int number, Supplier<BlockingReader> newReader) {
            super(loop, "zarr-engine-read-" + number);
            this.newReader = newReader;
            setDaemon(true);
        }

        @Override
        public void run() {
            try (BlockingReader mine = newReader.get()) {
                reader = mine;
                super.run();
            }
        }
    }
}
