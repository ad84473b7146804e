package io.zarrengine.bench.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.crt.CRT;
import software.amazon.awssdk.crt.http.HttpClientConnection;
import software.amazon.awssdk.crt.http.HttpClientConnectionManager;
import software.amazon.awssdk.crt.http.HttpClientConnectionManagerOptions;
import software.amazon.awssdk.crt.http.HttpHeader;
import software.amazon.awssdk.crt.http.HttpRequest;
import software.amazon.awssdk.crt.http.HttpStream;
import software.amazon.awssdk.crt.http.HttpStreamResponseHandler;
import software.amazon.awssdk.crt.io.ClientBootstrap;
import software.amazon.awssdk.crt.io.EventLoopGroup;
import software.amazon.awssdk.crt.io.HostResolver;
import software.amazon.awssdk.crt.io.SocketOptions;
import software.amazon.awssdk.crt.io.TlsContext;
import software.amazon.awssdk.crt.io.TlsContextOptions;

/** Amazon's client in C. */
final class CrtClient implements RangeClient {
    private final URI url;
    private final EventLoopGroup loops = new EventLoopGroup(1);
    private final HostResolver resolver = new HostResolver(loops);
    private final ClientBootstrap bootstrap = new ClientBootstrap(loops, resolver);
    private final SocketOptions sockets = new SocketOptions();
    private final TlsContext context; // null without TLS
    private final HttpClientConnectionManager connections;

    CrtClient(Server server) {
        url = server.url();
        HttpClientConnectionManagerOptions options =
                new HttpClientConnectionManagerOptions()
                        .withClientBootstrap(bootstrap)
                        .withSocketOptions(sockets)
                        .withUri(url)
                        .withMaxConnections(REQUESTS_MAX);
        context = server.authority().map(file -> trust(file.toString())).orElse(null);
        if (context != null) {
            options.withTlsContext(context);
        }
        connections = HttpClientConnectionManager.create(options);
    }

    private static TlsContext trust(String authority) {
        try (TlsContextOptions options =
                TlsContextOptions.createDefaultClient()
                        .withCertificateAuthorityFromPath(null, authority)) {
            return new TlsContext(options);
        }
    }

    @Override
    public void get(long offset, MemorySegment target, Done done) {
        var _ =
                connections
                        .acquireConnection()
                        .whenComplete((connection, error) -> {
                            if (error != null) {
                                done.done(error);
                            } else {
                                send(connection, offset, target, done);
                            }
                        });
    }

    private void send(
            HttpClientConnection connection, long offset, MemorySegment target, Done done) {
        HttpHeader[] headers = {
            new HttpHeader("Host", url.getRawAuthority()),
            new HttpHeader("Accept-Encoding", "identity"),
            new HttpHeader("Range", RangeClient.range(offset, target))
        };
        HttpRequest request = new HttpRequest("GET", url.getRawPath(), headers, null);
        connection.makeRequest(request, new Handler(connection, target, done)).activate();
    }

    @Override
    public void close() {
        connections.close();
        connections.getShutdownCompleteFuture().join();
        if (context != null) {
            context.close();
        }
        sockets.close();
        bootstrap.close();
        resolver.close();
        loops.close();
    }

    private final class Handler implements HttpStreamResponseHandler {
        private final HttpClientConnection connection;
        private final RangeBody body;
        private final Done done;

        Handler(HttpClientConnection connection, MemorySegment target, Done done) {
            this.connection = connection;
            this.body = new RangeBody(target);
            this.done = done;
        }

        @Override
        public void onResponseHeaders(
                HttpStream stream, int status, int blockType, HttpHeader[] headers) {}

        @Override
        public int onResponseBody(HttpStream stream, byte[] bytes) {
            try {
                body.take(ByteBuffer.wrap(bytes));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.length;
        }

        @Override
        public void onResponseComplete(HttpStream stream, int error) {
            Throwable problem =
                    error == 0
                            ? body.problem(stream.getResponseStatusCode())
                            : new CompletionException(new IOException(CRT.awsErrorString(error)));
            stream.close();
            connections.releaseConnection(connection);
            done.done(problem);
        }
    }
}
