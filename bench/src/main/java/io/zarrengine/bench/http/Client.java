package io.zarrengine.bench.http;

import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.http.HttpClient;

/** The clients of the comparison. */
enum Client {
    JDK("JDK HttpClient", 3, Scheme.BOTH),
    NETTY_NIO("Netty, NIO", 2, Scheme.BOTH),
    NETTY_NIO_TARGET("Netty, NIO, into the target", 1, Scheme.HTTP),
    NETTY_BORING("Netty, NIO, BoringSSL", 2, Scheme.HTTPS),
    NETTY_RING("Netty, io_uring", 2, Scheme.BOTH),
    NETTY_RING_TARGET("Netty, io_uring, into the target", 1, Scheme.HTTP),
    APACHE("Apache HttpClient", 3, Scheme.BOTH),
    CRT("AWS CRT", 3, Scheme.BOTH),
    SOCKETS("blocking sockets", 1, Scheme.HTTP);

    /** The schemes with which a client is measured. */
    enum Scheme {
        HTTP,
        HTTPS,
        BOTH
    }

    private final String title;
    private final int copies;
    private final Scheme scheme;

    Client(String title, int copies, Scheme scheme) {
        this.title = title;
        this.copies = copies;
        this.scheme = scheme;
    }

    String title() {
        return title;
    }

    /** {@return how often a byte of a long body is copied without TLS: the kernel's copy is one} */
    int copies() {
        return copies;
    }

    boolean knows(Server server) {
        return scheme == Scheme.BOTH || (scheme == Scheme.HTTPS) == server.authority().isPresent();
    }

    RangeClient open(Server server) throws IOException {
        return switch (this) {
            case JDK -> new JdkClient(server, HttpClient.Version.HTTP_1_1);
            case NETTY_NIO -> new NettyClient(server, false, false, SslProvider.JDK);
            case NETTY_NIO_TARGET -> new NettyClient(server, false, true, SslProvider.JDK);
            case NETTY_BORING -> new NettyClient(server, false, false, SslProvider.OPENSSL);
            case NETTY_RING -> new NettyClient(server, true, false, SslProvider.JDK);
            case NETTY_RING_TARGET -> new NettyClient(server, true, true, SslProvider.JDK);
            case APACHE -> new ApacheClient(server);
            case CRT -> new CrtClient(server);
            case SOCKETS -> new SocketClient(server);
        };
    }
}
