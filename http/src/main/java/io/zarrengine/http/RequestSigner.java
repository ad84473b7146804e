package io.zarrengine.http;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Authenticates each request that a store sends, also one that repeats another. Threads: any. */
@FunctionalInterface
public interface RequestSigner {
    /**
     * {@return headers to add to a GET request} No message repeats their values.
     *
     * @param url the URL, as it is sent; of the store's own host
     * @param headers the other headers of the request, by name
     * @throws IOException if there are no credentials; it fails the read
     */
    Map<String, String> sign(URI url, Map<String, String> headers) throws IOException;

    /**
     * {@return headers with other credentials than those that the server refused with status 401;
     * empty if there are none: then the read fails} Called instead of {@link #sign} for what is
     * left of the read.
     *
     * @param url as for {@link #sign}
     * @param headers as for {@link #sign}
     * @param refused the headers that {@link #sign} returned
     * @throws IOException if there are no credentials; it fails the read
     */
    default Optional<Map<String, String>> signAgain(
            URI url, Map<String, String> headers, Map<String, String> refused) throws IOException {
        return Optional.of(sign(url, headers)).filter(signed -> !signed.equals(refused));
    }

    /**
     * {@return a signer that sends a token}
     *
     * @param token is called for each request
     */
    static RequestSigner bearer(Supplier<String> token) {
        return (url, headers) -> Map.of("Authorization", "Bearer " + token.get());
    }
}
