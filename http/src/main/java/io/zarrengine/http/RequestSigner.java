package io.zarrengine.http;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.function.Supplier;

/** Authenticates each request that a store sends, also one that repeats another. Threads: any. */
@FunctionalInterface
public interface RequestSigner {
    /**
     * {@return headers to add to a GET request} No message repeats their values.
     *
     * @param url the URL, as it is sent; of the store's own host
     * @param headers what else is sent, by name
     * @throws IOException if there are no credentials; it fails the read
     */
    Map<String, String> sign(URI url, Map<String, String> headers) throws IOException;

    /**
     * {@return a signer that sends a token}
     *
     * @param token is called for each request
     */
    static RequestSigner bearer(Supplier<String> token) {
        return (url, headers) -> Map.of("Authorization", "Bearer " + token.get());
    }
}
