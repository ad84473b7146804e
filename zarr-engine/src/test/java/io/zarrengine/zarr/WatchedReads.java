package io.zarrengine.zarr;

import io.zarrengine.uring.ReadQueue;
import io.zarrengine.zarr.execute.QueueFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

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
