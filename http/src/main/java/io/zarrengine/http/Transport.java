package io.zarrengine.http;

import java.net.http.HttpRequest;

/**
 * Sends requests to web servers. It decides nothing about their answers.
 *
 * <p>Owner: the queue of requests. Threads: any.
 */
interface Transport extends AutoCloseable {
    /** A request that was sent. Threads: any. */
    @FunctionalInterface
    interface Sent {
        /** Abandons the request, if it has not ended; its connection is closed if need be. */
        void cancel();
    }

    /**
     * Sends a request. The receiver may get the answer before this returns.
     *
     * @param request with the method GET
     */
    Sent send(HttpRequest request, Receiver receiver);

    /** Closes all connections. Does not wait. */
    @Override
    void close();
}
