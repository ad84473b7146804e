package io.zarrengine.python;

import io.zarrengine.zarr.errors.ClosedException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Objects that Python knows by a number. Threads: any.
 *
 * @param <T> their type
 */
final class Handles<T> {
    private final AtomicLong last = new AtomicLong();
    private final Map<Long, T> objects = new ConcurrentHashMap<>();

    /** Returns a new handle of the object; never 0. */
    long add(T object) {
        long handle = last.incrementAndGet();
        objects.put(handle, object);
        return handle;
    }

    /** Returns the object of a handle, or null if it is not in use. */
    T find(long handle) {
        return objects.get(handle);
    }

    /** Returns the object of a handle that is in use. */
    T get(long handle) {
        T object = find(handle);
        if (object == null) { // Python holds handles of an engine that it has closed.
            throw ClosedException.ofEngine();
        }
        return object;
    }

    /** Ends the use of a handle. Returns its object, or null if it is not in use. */
    T remove(long handle) {
        return objects.remove(handle);
    }

    int size() {
        return objects.size();
    }
}
