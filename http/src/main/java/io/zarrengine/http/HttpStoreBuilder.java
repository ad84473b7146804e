package io.zarrengine.http;

import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** Builds a store from options. */
public final class HttpStoreBuilder {
    private static final Duration LONGEST = Duration.ofDays(365);

    /**
     * Headers that choose the bytes of an answer, or frame the request, in lower case: those of a
     * caller would contradict the store's.
     */
    private static final Set<String> OWN_HEADERS =
            Set.of(
                    "accept-encoding",
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "if-match",
                    "if-modified-since",
                    "if-none-match",
                    "if-range",
                    "if-unmodified-since",
                    "keep-alive",
                    "range",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    /**
     * Has the effect of {@link #hidesMissing} for users who cannot call it: of the command, of
     * Python.
     */
    private static final String HIDES_MISSING = "ZARR_ENGINE_HIDES_MISSING";

    private static final String CERTIFICATES = "SSL_CERT_FILE";

    private final URI base;
    private final StoreVariables variables;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private int requestsMax = 64;
    private Duration deadline = Duration.ofSeconds(60);
    private Duration stallTimeout = Duration.ofSeconds(15);
    private Duration hedgingDelay; // null for none
    private boolean hidesMissing;
    private String advice; // null if the caller gives none
    private RequestSigner signer; // null if requests are not signed
    private Consumer<HttpHeaders> answers = _ -> {};
    private HttpClient.Version version = HttpClient.Version.HTTP_1_1;
    private ProxySelector proxy; // null for the default
    private SSLContext sslContext; // null for the default

    HttpStoreBuilder(URI base, Map<String, String> environment) {
        String scheme = String.valueOf(base.getScheme());
        boolean isHttp = scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https");
        if (!isHttp || base.getHost() == null || base.getRawFragment() != null) {
            throw new IllegalArgumentException("expected http://host/path or https://host/path");
        }
        if (base.getPort() > Urls.PORT_MAX) {
            throw new IllegalArgumentException(
                    base.getHost() + ": there is no port " + base.getPort());
        }
        if (base.getUserInfo() != null) {
            header("Authorization", BasicCredentials.of(base.getUserInfo()).header());
        }
        this.base = base;
        variables = new StoreVariables(environment);
        hidesMissing = variables.isOn(HIDES_MISSING);
    }

    /**
     * Adds a header to each request, or replaces it. It is not sent to another host that a server
     * redirects to, and no message repeats its value.
     *
     * @param name of the header
     * @param value of the header
     * @return this
     * @throws IllegalArgumentException if the store sets the header itself, as {@code Range} and
     *     {@code Host}, or HTTP has no such name or value
     */
    public HttpStoreBuilder header(String name, String value) {
        if (OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "the store sets the header " + name + " itself: it cannot be given");
        }
        requireSendable(name, Objects.requireNonNull(value, "value"));
        headers.put(name, value);
        return this;
    }

    /** The message does not repeat the value, which may stand in the name by mistake. */
    private static void requireSendable(String name, String value) {
        try {
            var _ = HttpRequest.newBuilder().setHeader(name, value);
        } catch (IllegalArgumentException _) {
            String token = name.replaceAll("(?s)[^\\w-].*", "");
            throw new IllegalArgumentException(
                    "the header " + token + " cannot be sent: its name or value is not HTTP's");
        }
    }

    /**
     * Authenticates each request by a user and a password.
     *
     * @param user the name of the user
     * @param password the password
     * @return this
     */
    public HttpStoreBuilder basic(String user, String password) {
        return header("Authorization", new BasicCredentials(user, password).header());
    }

    /**
     * Authenticates each request by a token.
     *
     * @param token the token
     * @return this
     */
    public HttpStoreBuilder bearer(String token) {
        return header("Authorization", "Bearer " + token);
    }

    /**
     * Sets what messages say after status 401 and 403.
     *
     * @param newAdvice for example where credentials come from
     * @return this
     */
    public HttpStoreBuilder advice(String newAdvice) {
        advice = Objects.requireNonNull(newAdvice, "advice");
        return this;
    }

    /**
     * Authenticates each request by what a signer adds to it.
     *
     * @param newSigner is called on a virtual thread for each request, and may block
     * @return this
     */
    public HttpStoreBuilder signer(RequestSigner newSigner) {
        signer = newSigner;
        return this;
    }

    /**
     * Sets a listener for the headers of each answer, whatever its status.
     *
     * @param newAnswers is called on threads that serve other requests too, and must not block
     * @return this
     */
    public HttpStoreBuilder answers(Consumer<HttpHeaders> newAnswers) {
        answers = Objects.requireNonNull(newAnswers, "answers");
        return this;
    }

    /**
     * Sets how many requests are under way at most. With HTTP/1.1 each has a connection of its own.
     * Default: 64.
     *
     * @param requests {@code > 0}
     * @return this
     */
    public HttpStoreBuilder requestsMax(int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException(requests + " requests");
        }
        requestsMax = requests;
        return this;
    }

    /**
     * Sets how long a read may take in all, with its retries. Default: 60 s.
     *
     * @param newDeadline {@code > 0}; a read waits for its turn before
     * @return this
     */
    public HttpStoreBuilder deadline(Duration newDeadline) {
        deadline = bounded(newDeadline);
        return this;
    }

    /**
     * Sets after which time without a byte a request is abandoned and repeated. Default: 15 s.
     *
     * @param timeout {@code > 0}
     * @return this
     */
    public HttpStoreBuilder stallTimeout(Duration timeout) {
        stallTimeout = bounded(timeout);
        return this;
    }

    /**
     * Sets after which time without an answer a second request is sent for the same bytes. The
     * first answer is taken, and the other request is ended. At most 5 % of the requests, and 10 in
     * advance, get a second one, also beyond {@link #requestsMax}. Default: none is sent.
     *
     * @param delay {@code > 0}: longer than most requests wait for their answer
     * @return this
     */
    public HttpStoreBuilder hedgingDelay(Duration delay) {
        hedgingDelay = bounded(delay);
        return this;
    }

    /** {@return a time that is positive, and short enough to be a number of nanoseconds} */
    private static Duration bounded(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("a time of " + time);
        }
        return time.compareTo(LONGEST) > 0 ? LONGEST : time;
    }

    /**
     * Sets whether status 403 means that there is no such object, as in buckets that may be read
     * but not listed. Default: the environment variable {@code ZARR_ENGINE_HIDES_MISSING}; else
     * false, it is an error.
     *
     * @param hides whether the server hides what is missing
     * @return this
     */
    public HttpStoreBuilder hidesMissing(boolean hides) {
        hidesMissing = hides;
        return this;
    }

    /**
     * Sets the version of HTTP. Default: 1.1, which costs less: version 2 is left to the JDK's
     * client.
     *
     * @param newVersion 2 is used where the server knows it
     * @return this
     */
    public HttpStoreBuilder version(HttpClient.Version newVersion) {
        version = newVersion;
        return this;
    }

    /**
     * Sets the proxies. Default: those of the JDK's system properties, else of the environment
     * variables {@code https_proxy}, {@code http_proxy}, {@code all_proxy} and {@code no_proxy}: of
     * the form {@code http://user:password@host:port}, the first part of which may be missing; what
     * is special in a URL is percent-encoded.
     *
     * @param newProxy chooses the proxy of a URL
     * @return this
     */
    public HttpStoreBuilder proxy(ProxySelector newProxy) {
        proxy = newProxy;
        return this;
    }

    /**
     * Sets one proxy for all requests, whatever the environment says.
     *
     * @param newProxy {@code http://user:password@host:port}, the first part of which may be
     *     missing; what is special in a URL is percent-encoded; the default port is 1080
     * @return this
     * @throws IllegalArgumentException if it is another URL; the message does not repeat it
     */
    public HttpStoreBuilder proxy(URI newProxy) {
        return proxy(ProxyVariables.always(newProxy.toString()));
    }

    /**
     * Sets the certificates that are trusted. Default: those in the file that the environment
     * variable {@code SSL_CERT_FILE} names, in PEM; else the JDK's.
     *
     * @param context of TLS
     * @return this
     */
    public HttpStoreBuilder sslContext(SSLContext context) {
        sslContext = context;
        return this;
    }

    private Optional<ProxySelector> proxyOrDefault() {
        return proxy != null
                ? Optional.of(proxy)
                : ProxyVariables.of(base.getScheme(), variables).map(ProxySelector.class::cast);
    }

    private Optional<SSLContext> sslContextOrDefault() {
        return Optional.ofNullable(sslContext)
                .or(() ->
                        variables
                                .first(CERTIFICATES)
                                .filter(_ -> base.getScheme().equalsIgnoreCase("https"))
                                .map(file -> TrustedCertificates.context(CERTIFICATES, file)));
    }

    /**
     * {@return a new store with these options}
     *
     * @throws IllegalArgumentException if an environment variable names no usable proxy, or no file
     *     with certificates
     */
    public HttpStore open() {
        return new HttpStore(
                new HttpOptions(
                        base,
                        headers,
                        Optional.ofNullable(signer),
                        answers,
                        requestsMax,
                        deadline,
                        stallTimeout,
                        Optional.ofNullable(hedgingDelay),
                        hidesMissing,
                        Optional.ofNullable(advice),
                        version,
                        proxyOrDefault(),
                        sslContextOrDefault()));
    }
}
