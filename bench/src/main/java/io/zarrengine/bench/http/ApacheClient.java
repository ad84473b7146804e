package io.zarrengine.bench.http;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.apache.hc.client5.http.async.methods.AbstractBinResponseConsumer;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.async.MinimalHttpAsyncClient;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOReactorConfig;

/** Apache's asynchronous client, without its redirects, retries and cookies. */
final class ApacheClient implements RangeClient {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Server server;
    private final MinimalHttpAsyncClient client;

    ApacheClient(Server server) {
        this.server = server;
        PoolingAsyncClientConnectionManagerBuilder connections =
                PoolingAsyncClientConnectionManagerBuilder.create()
                        .setMaxConnTotal(REQUESTS_MAX)
                        .setMaxConnPerRoute(REQUESTS_MAX)
                        .setDefaultTlsConfig(
                                TlsConfig.custom()
                                        .setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_1)
                                        .build());
        server.context()
                .ifPresent(context ->
                        connections.setTlsStrategy(
                                ClientTlsStrategyBuilder.create()
                                        .setSslContext(context)
                                        .buildAsync()));
        client =
                HttpAsyncClients.createMinimal(
                        H2Config.DEFAULT,
                        Http1Config.custom().setBufferSize(BUFFER_BYTES).build(),
                        IOReactorConfig.custom().setIoThreadCount(1).setTcpNoDelay(true).build(),
                        connections.build());
        client.start();
    }

    @Override
    public void get(long offset, MemorySegment target, Done done) {
        BasicHttpRequest request = new BasicHttpRequest(Method.GET, server.url());
        request.setHeader("Accept-Encoding", "identity");
        request.setHeader("Range", RangeClient.range(offset, target));
        var _ =
                client.execute(
                        new BasicRequestProducer(request, null),
                        new Consumer(new RangeBody(target)),
                        new Callback(done));
    }

    @Override
    public void close() {
        client.close(CloseMode.IMMEDIATE);
    }

    private static final class Consumer extends AbstractBinResponseConsumer<IOException> {
        private final RangeBody body;
        private int status;

        Consumer(RangeBody body) {
            this.body = body;
        }

        @Override
        protected void start(HttpResponse response, ContentType type) {
            status = response.getCode();
        }

        @Override
        protected int capacityIncrement() {
            return Integer.MAX_VALUE;
        }

        @Override
        protected void data(ByteBuffer bytes, boolean isLast) throws IOException {
            body.take(bytes);
            bytes.position(bytes.limit());
        }

        @Override
        protected IOException buildResult() {
            return body.problem(status);
        }

        @Override
        public void releaseResources() {}
    }

    private record Callback(Done done) implements FutureCallback<IOException> {
        @Override
        public void completed(IOException problem) {
            done.done(problem);
        }

        @Override
        public void failed(Exception error) {
            done.done(error);
        }

        @Override
        public void cancelled() {
            done.done(new IOException("cancelled"));
        }
    }
}
