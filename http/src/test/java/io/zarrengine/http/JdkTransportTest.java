package io.zarrengine.http;

import java.net.http.HttpClient;
import java.util.function.Consumer;

/** Faults of a server, to the JDK's client, which falls back to HTTP/1.1 here. */
final class JdkTransportTest extends FaultContract<HttpStore> {
    @Override
    protected HttpStore openStore(Consumer<HttpStoreBuilder> options) {
        HttpStoreBuilder builder =
                HttpStore.builder(server.url("")).version(HttpClient.Version.HTTP_2);
        options.accept(builder);
        return builder.open();
    }
}
