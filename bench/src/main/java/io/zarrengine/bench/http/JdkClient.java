package io.zarrengine.bench.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;

/** The JDK's client, as the engine uses it. */
final class JdkClient implements RangeClient {
    private final URI url;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    private final HttpClient client;

    JdkClient(Server server, HttpClient.Version version) {
        url = server.url();
        HttpClient.Builder builder = HttpClient.newBuilder().version(version).executor(threads);
        server.context().ifPresent(builder::sslContext);
        client = builder.build();
    }

    @Override
    public void get(long offset, MemorySegment target, Done done) {
        HttpRequest request =
                HttpRequest.newBuilder(url)
                        .setHeader("Accept-Encoding", "identity")
                        .setHeader("Range", RangeClient.range(offset, target))
                        .build();
        RangeBody body = new RangeBody(target);
        var _ =
                client.sendAsync(request, _ -> new Subscriber(body))
                        .whenComplete((response, error) ->
                                done.done(
                                        error == null
                                                ? body.problem(response.statusCode())
                                                : error));
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdown();
    }

    private static final class Subscriber implements HttpResponse.BodySubscriber<RangeBody> {
        private final RangeBody body;
        private final CompletableFuture<RangeBody> taken = new CompletableFuture<>();

        Subscriber(RangeBody body) {
            this.body = body;
        }

        @Override
        public CompletionStage<RangeBody> getBody() {
            return taken;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            try {
                for (ByteBuffer buffer : buffers) {
                    body.take(buffer);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void onError(Throwable error) {
            taken.completeExceptionally(error);
        }

        @Override
        public void onComplete() {
            taken.complete(body);
        }
    }
}
