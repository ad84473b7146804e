package io.zarrengine.zarr;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.execute.QueueFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Workers' queues that show each read to a test before it is queued. */
final class WatchedReads {
    /** Watches the reads of a queue. */
    @FunctionalInterface
    interface Watcher {
        /**
         * Runs on the worker's thread before each read, and may block it.
         *
         * @param arguments of {@link ReadQueue#read}; may be changed
         */
        void before(Object[] arguments) throws InterruptedException;
    }

    /** Watches each call of a queue. */
    @FunctionalInterface
    interface CallWatcher {
        void before(String method, Object[] arguments) throws InterruptedException;
    }

    private WatchedReads() {}

    /**
     * Opens an engine that copies what is in memory at once, and counts the reads that it queues.
     */
    static ZarrEngine openCounting(AtomicInteger queued) {
        return ZarrEngine.builder()
                .caching(Caching.BUFFERED)
                .queues(queues -> of(queues, arguments -> queued.incrementAndGet()))
                .readingNow()
                .open();
    }

    static QueueFactory of(QueueFactory queues, Watcher watcher) {
        return ofCalls(
                queues,
                () ->
                        (method, arguments) -> {
                            if (method.equals("read")) {
                                watcher.before(arguments);
                            }
                        });
    }

    /** {@code watchers}: supplies one for each queue. */
    static QueueFactory ofCalls(QueueFactory queues, Supplier<CallWatcher> watchers) {
        return (capacity, memory) -> {
            ReadQueue queue = queues.newQueue(capacity, memory);
            CallWatcher watcher = watchers.get();
            InvocationHandler handler =
                    (proxy, method, arguments) -> {
                        watcher.before(method.getName(), arguments);
                        return method.invoke(queue, arguments);
                    };
            Class<?>[] types = {ReadQueue.class};
            ClassLoader loader = ReadQueue.class.getClassLoader();
            return (ReadQueue) Proxy.newProxyInstance(loader, types, handler);
        };
    }
}
