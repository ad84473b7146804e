package io.zarrengine.http;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Takes the answer to one request: its head, the parts of its body, its end. An error may come
 * instead of each of them.
 *
 * <p>Threads: those of the transport, one at a time; none of the methods may block.
 */
interface Receiver {
    /** Receives bytes into a {@linkplain #place place}. */
    @FunctionalInterface
    interface Receive {
        /** {@return how many bytes came; negative if there are no more} */
        int receive() throws IOException;
    }

    /** Takes the status and the headers. */
    void begin(int status, HttpHeaders headers);

    /**
     * {@return where the next bytes of the body belong, so that {@link #receive} brings them there
     * without a copy; empty if they are for {@link #take}}
     *
     * @param most how many bytes are left of the body, {@code > 0}
     */
    Optional<ByteBuffer> place(long most);

    /**
     * Has bytes received into the last {@link #place}; they must not be passed to {@link #take}.
     *
     * @return what the receive returned; negative, without having called it, if nobody wants the
     *     bytes any more
     */
    int receive(Receive receive) throws IOException;

    /**
     * Takes the next part of the body.
     *
     * @return false if no more of it is wanted: {@link #end} follows, and the connection is closed
     */
    boolean take(ByteBuffer part);

    /** The answer has ended. */
    void end();

    /** No answer came, or not all of it. */
    void fail(Throwable error);
}
