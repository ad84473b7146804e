package io.zarrengine.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Chooses a proxy by the environment variables that curl and Python read: {@code https_proxy} and
 * {@code HTTPS_PROXY}; {@code http_proxy}, only so, because web servers set the other one from a
 * header of a request; {@code all_proxy}; and {@code no_proxy}, a list of hosts and domains.
 */
final class ProxyVariables extends ProxySelector {
    private static final int DEFAULT_PORT = 1080; // curl's

    private final Proxy proxy;
    private final Optional<BasicCredentials> credentials;
    private final List<String> excepted;

    private ProxyVariables(
            Proxy proxy, Optional<BasicCredentials> credentials, List<String> excepted) {
        this.proxy = proxy;
        this.credentials = credentials;
        this.excepted = excepted;
    }

    /**
     * {@return the choice that the variables make for a scheme; empty if they name no proxy, or the
     * JDK's own properties do}
     *
     * @param scheme {@code http} or {@code https}
     * @throws IllegalArgumentException if a variable names another proxy than {@code
     *     http://user:password@host:port}
     */
    static Optional<ProxyVariables> of(String scheme, StoreVariables variables) {
        boolean isSecure = scheme.equalsIgnoreCase("https");
        String[] names =
                isSecure
                        ? new String[] {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}
                        : new String[] {"http_proxy", "all_proxy", "ALL_PROXY"};
        if (System.getProperty(isSecure ? "https.proxyHost" : "http.proxyHost") != null) {
            return Optional.empty();
        }
        return variables
                .first(names)
                .map(value -> {
                    List<String> excepted =
                            variables.first("no_proxy", "NO_PROXY").stream()
                                    .flatMap(list -> Arrays.stream(list.split("[\\s,]+")))
                                    .map(host -> host.toLowerCase(Locale.ROOT))
                                    .toList();
                    String where = "the variable " + String.join(" or ", names) + " names a proxy";
                    return parse(value, where, excepted);
                });
    }

    /**
     * {@return the choice of one proxy for all hosts}
     *
     * @param url {@code http://user:password@host:port}
     * @throws IllegalArgumentException if it is another URL
     */
    static ProxyVariables always(String url) {
        return parse(url, "the option names a proxy", List.of());
    }

    private static ProxyVariables parse(String value, String where, List<String> excepted) {
        try {
            URI url = new URI(value.contains("://") ? value : "http://" + value);
            if ("http".equalsIgnoreCase(url.getScheme())
                    && url.getHost() != null
                    && url.getPort() <= Urls.PORT_MAX) {
                int port = url.getPort() < 0 ? DEFAULT_PORT : url.getPort();
                var address = InetSocketAddress.createUnresolved(url.getHost(), port);
                return new ProxyVariables(
                        new Proxy(Proxy.Type.HTTP, address),
                        Optional.ofNullable(url.getUserInfo()).map(BasicCredentials::of),
                        excepted);
            }
        } catch (URISyntaxException _) {
            // The value may have a password: no message has it.
        }
        throw new IllegalArgumentException(
                where
                        + " that is not http://user:password@host:port, with or without the user,"
                        + " and special characters percent-encoded");
    }

    /** {@return the credentials for the proxy} */
    Optional<BasicCredentials> credentials() {
        return credentials;
    }

    @Override
    public List<Proxy> select(URI url) {
        String host = url.getHost().toLowerCase(Locale.ROOT);
        return List.of(
                excepted.stream().anyMatch(one -> matches(one, host, url.getPort()))
                        ? Proxy.NO_PROXY
                        : proxy);
    }

    /** {@code excepted}: a host, a domain with or without a dot before it, or an asterisk. */
    private static boolean matches(String excepted, String host, int port) {
        String suffix = ":" + port;
        String name =
                port >= 0 && excepted.endsWith(suffix)
                        ? excepted.substring(0, excepted.length() - suffix.length())
                        : excepted;
        String domain = name.startsWith(".") ? name.substring(1) : name;
        return name.equals("*")
                || (!domain.isEmpty() && (host.equals(domain) || host.endsWith("." + domain)));
    }

    @Override
    public void connectFailed(URI url, SocketAddress address, IOException cause) {
        // The read says it.
    }
}
