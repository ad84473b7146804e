package io.zarrengine.zarr;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.execute.QueueFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Workers' queues of which a test sees each read before it is queued. */
final class WatchedReads {
    /** Sees a read. */
    @FunctionalInterface
    interface Watcher {
        /**
         * Is called on the worker's thread, which it may hold up.
         *
         * @param arguments of {@link ReadQueue#read}; may be changed
         */
        void before(Object[] arguments) throws InterruptedException;
    }

    /** Sees each call of a queue. */
    @FunctionalInterface
    interface CallWatcher {
        void before(String method, Object[] arguments) throws InterruptedException;
    }

    private WatchedReads() {}

    /** An engine that takes what is in memory at once, and counts the reads that it queues. */
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

    /** {@code watchers}: one for each queue. */
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
