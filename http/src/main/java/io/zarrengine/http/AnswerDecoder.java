package io.zarrengine.http;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;

/** Parses the answers of a connection. Threads: its event loop. */
final class AnswerDecoder extends HttpResponseDecoder {
    AnswerDecoder(HttpDecoderConfig limits) {
        super(limits);
    }

    /** {@return whether bytes were received that are no part of what was passed on} */
    boolean hasBytes() {
        return actualReadableBytes() > 0;
    }
}
