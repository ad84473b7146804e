package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.task.ReadRequest;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests that have begun and not ended. Whether there is one is asked of a count of its own:
 * that of a map is wrong for good if there was no memory to count once.
 *
 * <p>Owner: the executor. Threads: any.
 */
final class ActiveRequests implements Iterable<ReadRequest> {
    private final Set<ReadRequest> requests = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds a request that was never added before. If it throws, the request is to be removed. */
    void add(ReadRequest request) {
        count.incrementAndGet();
        requests.add(request);
    }

    /** Removes a request. May be called again, and is to be if it throws. */
    void remove(ReadRequest request) {
        if (request.isForgottenFirst()) {
            count.decrementAndGet();
        }
        requests.remove(request);
    }

    /** {@return how many there are} */
    int count() {
        return count.get();
    }

    /** Those that are there all the time, and perhaps others. */
    @Override
    public Iterator<ReadRequest> iterator() {
        return requests.iterator();
    }
}
