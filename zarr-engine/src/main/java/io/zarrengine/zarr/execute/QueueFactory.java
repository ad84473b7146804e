package io.zarrengine.zarr.execute;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.uring.ReadQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Makes the workers' queues: {@link ReadBackend#newQueue}, or in tests one that fails. */
@FunctionalInterface
public interface QueueFactory {
    /**
     * {@return a queue, owned by the calling thread}
     *
     * @param capacity reads in flight at most
     * @param memory native memory that most reads go to
     * @throws IOException if the kernel refuses
     */
    ReadQueue newQueue(int capacity, List<MemorySegment> memory) throws IOException;
}
