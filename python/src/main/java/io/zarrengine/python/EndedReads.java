package io.zarrengine.python;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The reads that have ended since Python asked last. One thread of Python waits here for all, and
 * tells their event loops; so no thread of Java calls Python. Threads: any.
 */
final class EndedReads {
    private final BlockingQueue<Long> tickets = new LinkedBlockingQueue<>();

    void add(long ticket) {
        tickets.add(ticket);
    }

    /** Waits for at least one ticket, and returns all. */
    long[] take() throws InterruptedException {
        List<Long> ended = new ArrayList<>();
        ended.add(tickets.take());
        tickets.drainTo(ended);
        return ended.stream().mapToLong(Long::longValue).toArray();
    }
}
