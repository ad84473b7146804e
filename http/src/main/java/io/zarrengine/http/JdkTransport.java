package io.zarrengine.http;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;

/** The JDK's client: for HTTP/2, with many requests on one connection. */
final class JdkTransport implements Transport {
    private final ExecutorService threads;
    private final HttpClient client;

    JdkTransport(HttpOptions options, Duration connectTimeout) {
        if (options.proxyCredentials().isPresent()) { // The JDK sends none to open a tunnel.
            throw new IllegalArgumentException(
                    "a proxy that wants a user and a password needs HTTP/1.1");
        }
        int cores = Runtime.getRuntime().availableProcessors();
        threads =
                Executors.newFixedThreadPool(
                        cores,
                        task ->
                                Thread.ofPlatform()
                                        .daemon()
                                        .name("zarr-engine-http")
                                        .unstarted(task));
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(options.version())
                        .connectTimeout(connectTimeout)
                        .followRedirects(HttpClient.Redirect.NEVER) // HttpRead does.
                        .executor(threads);
        options.proxy().ifPresent(builder::proxy);
        options.sslContext().ifPresent(builder::sslContext);
        client = builder.build();
    }

    @Override
    public Sent send(HttpRequest request, Receiver receiver) {
        CompletableFuture<HttpResponse<Void>> response =
                client.sendAsync(
                        request,
                        head -> {
                            receiver.begin(head.statusCode(), head.headers());
                            return new Body(receiver);
                        });
        var _ =
                response.whenComplete((_, error) -> {
                    if (error == null) {
                        receiver.end();
                    } else {
                        receiver.fail(error);
                    }
                });
        return () -> response.cancel(true);
    }

    @Override
    public void close() {
        client.shutdownNow();
        threads.shutdown();
    }

    /** Passes the parts of a body to a receiver, until the receiver wants no more. */
    private static final class Body implements BodySubscriber<Void> {
        private final Receiver receiver;
        private final CompletableFuture<Void> taken = new CompletableFuture<>();
        private Flow.Subscription subscription;

        Body(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public CompletionStage<Void> getBody() {
            return taken;
        }

        @Override
        public void onSubscribe(Flow.Subscription newSubscription) {
            subscription = newSubscription;
            newSubscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                if (!taken.isDone() && !receiver.take(part)) {
                    subscription.cancel();
                    taken.complete(null);
                }
            }
        }

        @Override
        public void onError(Throwable error) {
            taken.completeExceptionally(error);
        }

        @Override
        public void onComplete() {
            taken.complete(null);
        }
    }
}
