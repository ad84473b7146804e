package io.zarrengine.http;

import java.net.http.HttpRequest;

/**
 * A request and its answer. It uses one connection; another one if the first was closed instead of
 * an answer, as servers do with connections that were idle or had many requests.
 *
 * <p>Threads: {@link #cancel} any; else one at a time.
 */
final class Exchange implements Transport.Sent {
    private final Origin origin;
    private final HttpRequest request;
    private final Receiver receiver;
    private volatile NettyConnection connection; // null before it has one
    private volatile boolean isCancelled;
    private boolean isRepeated;

    Exchange(HttpRequest request, Receiver receiver) {
        this.origin = Origin.of(request.uri());
        this.request = request;
        this.receiver = receiver;
    }

    Origin origin() {
        return origin;
    }

    HttpRequest request() {
        return request;
    }

    Receiver receiver() {
        return receiver;
    }

    boolean isCancelled() {
        return isCancelled;
    }

    /** {@return whether it may use another connection, which it may do once} */
    boolean repeats() {
        boolean isFirst = !isRepeated;
        isRepeated = true;
        return isFirst && !isCancelled;
    }

    /** Notes the connection on which it is sent; its thread calls this. */
    void sentBy(NettyConnection newConnection) {
        connection = newConnection;
    }

    @Override
    public void cancel() {
        isCancelled = true;
        NettyConnection current = connection;
        if (current != null) {
            current.cancel(this);
        }
    }
}
