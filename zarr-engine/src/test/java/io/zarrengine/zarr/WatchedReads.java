package io.zarrengine.zarr;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.execute.QueueFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

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
        return (capacity, memory) -> {
            ReadQueue queue = queues.newQueue(capacity, memory);
            InvocationHandler handler =
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("read")) {
                            watcher.before(arguments);
                        }
                        return method.invoke(queue, arguments);
                    };
            Class<?>[] types = {ReadQueue.class};
            ClassLoader loader = ReadQueue.class.getClassLoader();
            return (ReadQueue) Proxy.newProxyInstance(loader, types, handler);
        };
    }
}
