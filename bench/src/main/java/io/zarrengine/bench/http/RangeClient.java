package io.zarrengine.bench.http;

import java.lang.foreign.MemorySegment;

/**
 * One way to read ranges of one URL into native memory. It checks that the status is 206 and that
 * as many bytes come as were asked for.
 *
 * <p>Threads: {@link #get} any, also from within {@link Done}.
 */
interface RangeClient extends AutoCloseable {
    /** Requests under way at most, each with a connection of its own. */
    int REQUESTS_MAX = 32;

    /** Is told that a request has ended. */
    interface Done {
        /** Ends a request: with its bytes in the target, or with an error; null if none. */
        void done(Throwable error);
    }

    /** Begins to read the bytes from an offset on, as many as fit into the target. */
    void get(long offset, MemorySegment target, Done done);

    @Override
    void close();

    /** {@return the value of the header {@code Range}} */
    static String range(long offset, MemorySegment target) {
        return "bytes=" + offset + "-" + (offset + target.byteSize() - 1);
    }
}
