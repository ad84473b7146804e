package io.zarrengine.http;

import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * Options of an open store; {@link HttpStoreBuilder} explains them.
 *
 * @param base the URL, without user and fragment
 * @param headers of each request, in order
 */
record HttpOptions(
        URI base,
        Map<String, String> headers,
        Optional<RequestSigner> signer,
        Consumer<HttpHeaders> answers,
        int requestsMax,
        Duration deadline,
        Duration stallTimeout,
        Optional<Duration> hedgingDelay,
        boolean hidesMissing,
        Optional<String> advice,
        HttpClient.Version version,
        Optional<ProxySelector> proxy,
        Optional<SSLContext> sslContext) {
    HttpOptions {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** {@return the credentials for a proxy that a URL names; empty for other proxies} */
    Optional<BasicCredentials> proxyCredentials() {
        return proxy.flatMap(selector ->
                selector instanceof ProxyVariables named ? named.credentials() : Optional.empty());
    }

    /** Headers and the query of the URL may be secrets. */
    @Override
    public String toString() {
        return "options of " + base.getHost();
    }
}
