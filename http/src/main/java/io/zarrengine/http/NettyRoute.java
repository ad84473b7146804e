package io.zarrengine.http;

import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The way of one connection to its server.
 *
 * @param address the address to connect to
 * @param isByProxy whether that is a proxy
 * @param credentials for the proxy
 * @param tls of the server; empty without TLS
 */
record NettyRoute(
        InetSocketAddress address,
        boolean isByProxy,
        Optional<BasicCredentials> credentials,
        Optional<SslHandler> tls) {
    boolean isTunnel() {
        return isByProxy && tls.isPresent();
    }

    /** {@return whether a proxy reads the requests} */
    boolean isPlainProxy() {
        return isByProxy && tls.isEmpty();
    }
}
