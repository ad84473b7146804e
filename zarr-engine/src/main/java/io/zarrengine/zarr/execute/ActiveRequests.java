package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.task.ReadRequest;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests that have begun and not ended. It has a count of its own, because that of a map
 * stays wrong if there was no memory to count once.
 *
 * <p>Owner: the executor. Threads: any.
 */
final class ActiveRequests implements Iterable<ReadRequest> {
    private final Set<ReadRequest> requests = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds a new request. If this throws, the caller must remove the request. */
    void add(ReadRequest request) {
        count.incrementAndGet();
        requests.add(request);
    }

    /** Removes a request. If this throws, it must be called again. */
    void remove(ReadRequest request) {
        if (request.isForgottenFirst()) {
            count.decrementAndGet();
        }
        requests.remove(request);
    }

    /** {@return the number of requests} */
    int count() {
        return count.get();
    }

    /** {@return the requests that stay meanwhile, and perhaps others} */
    @Override
    public Iterator<ReadRequest> iterator() {
        return requests.iterator();
    }
}
