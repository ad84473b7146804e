package io.zarrengine.http;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Locale;

/**
 * The server of a connection.
 *
 * @param isSecure whether by TLS
 * @param host its name or address; an address of IPv6 in brackets
 * @param port of TCP
 */
record Origin(boolean isSecure, String host, int port) {
    static Origin of(URI url) {
        boolean isSecure = url.getScheme().equalsIgnoreCase("https");
        int port = url.getPort() < 0 ? (isSecure ? 443 : 80) : url.getPort();
        return new Origin(isSecure, url.getHost().toLowerCase(Locale.ROOT), port);
    }

    /** {@return the value of the header {@code Host}: without the port if it is the default} */
    String authority() {
        return port == (isSecure ? 443 : 80) ? host : host + ":" + port;
    }

    /** {@return the host without brackets} */
    String address() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(address(), port);
    }
}
