package io.zarrengine.http;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;

/**
 * The server of a connection.
 *
 * @param isSecure whether it uses TLS
 * @param host its name or address; an address of IPv6 in brackets
 * @param port of TCP
 */
record Origin(boolean isSecure, String host, int port) {
    static Origin of(URI url) {
        boolean isSecure = url.getScheme().equalsIgnoreCase("https");
        int port = url.getPort() < 0 ? defaultPort(isSecure) : url.getPort();
        return new Origin(isSecure, url.getHost().toLowerCase(Locale.ROOT), port);
    }

    private static int defaultPort(boolean isSecure) {
        return isSecure ? 443 : 80;
    }

    /** {@return the value of the header {@code Host}: without the port if it is the default} */
    String authority() {
        return port == defaultPort(isSecure) ? host : host + ":" + port;
    }

    /** {@return the host without brackets} */
    String address() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(address(), port);
    }
}
